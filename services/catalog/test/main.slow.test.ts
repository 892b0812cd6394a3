import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createJobProducer } from '@interview-prep/kit/redis/job-queues';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { createTestIdentity, type TestIdentity } from '@interview-prep/kit/testing/identity';
import { type ServiceProcess, startServiceProcess } from '@interview-prep/kit/testing/service-process';
import { createTokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readSeedFiles } from '../src/seed/seed-files.ts';

const main = new URL('../src/main.ts', import.meta.url);

let backing: TestBacking;
let identity: TestIdentity;
let keys: Server;
let jwksUrl: string;
const services: ServiceProcess[] = [];
beforeAll(async () => {
  backing = await createTestBacking('catalog');
  identity = await createTestIdentity(createTokenDenylist(backing.redisAdministrator, backing.settings.REDIS_PREFIX));
  keys = createServer((_req, res) =>
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify(identity.jwks)),
  );
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  jwksUrl = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/jwks.json`;
});
afterEach(() => {
  for (const service of services.splice(0)) service.stop('SIGKILL');
});
afterAll(async () => {
  keys.close();
  await backing.close();
});

function run(environment: Record<string, string>): ServiceProcess {
  const service = startServiceProcess(main, environment);
  services.push(service);
  return service;
}

test('two processes on an empty database load the demonstration data once, check tokens and stop cleanly', async () => {
  const settings = { ...backing.settings, PORT: '0', AUTH_JWKS_URL: jwksUrl, SEED: 'demo' };
  const [first, second] = [run(settings), run(settings)];
  const files = await readSeedFiles();
  for (const service of [first, second]) {
    const url = await service.url();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/api/interviews/sets`)).status).toBe(401);
    const { authorization } = await identity.user('others');
    const answer = await fetch(`${url}/api/interviews/sets`, { headers: { Authorization: authorization } });
    const { interviewSets } = (await answer.json()) as { interviewSets: { title: string }[] };
    expect(interviewSets.map(({ title }) => title)).toEqual(files.interviewSets.map(({ title }) => title));
  }
  first.stop('SIGTERM');
  second.stop('SIGINT');
  expect([await first.ended, await second.ended]).toEqual([0, 0]);
});

test('a first process is ready only once recording has every demonstration set', async () => {
  const own = await createTestBacking('catalog');
  onTestFinished(() => own.close());
  const service = run({ ...own.settings, PORT: '0', AUTH_JWKS_URL: jwksUrl, SEED: 'demo' });
  await service.url();
  const jobs = createJobProducer(own.redisAdministrator, own.settings.REDIS_PREFIX);
  const queued = await jobs.queue('recording').getJobs(['waiting', 'prioritized'], 0, -1);
  const files = await readSeedFiles();
  expect(new Set(queued.map(({ data }) => data.setId)).size).toBe(
    files.interviewSets.length + files.practiceSets.length,
  );
  await jobs.close();
});

test('invalid settings are listed and nothing starts', async () => {
  const bad = run({ PORT: 'x', SEED: 'some' });
  expect(await bad.ended).toBe(1);
  for (const name of ['PORT', 'SEED', 'MONGODB_URI', 'REDIS_URL', 'AUTH_JWKS_URL']) {
    expect(bad.errors()).toContain(`  ${name}: `);
  }
});
