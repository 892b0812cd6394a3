import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type RunningFixture, runFixture } from './run-fixture.ts';

const script = new URL('./fixtures/slow-process.ts', import.meta.url);

let running: RunningFixture | undefined;
afterEach(() => {
  running?.child.kill('SIGKILL');
});

async function listening(environment: Record<string, string> = {}) {
  const fixture = runFixture(script, environment);
  running = fixture;
  await expect.poll(fixture.output, { timeout: 15_000 }).toContain('"accepting requests"');
  const line =
    fixture
      .output()
      .split('\n')
      .find((text) => text.includes('"accepting requests"')) ?? '';
  return { fixture, url: `http://127.0.0.1:${(JSON.parse(line) as { address: AddressInfo }).address.port}` };
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('lets a running request finish, closes in order and exits with status 0', async () => {
    const { fixture, url } = await listening();
    const answer = fetch(`${url}/slow`);
    await expect.poll(fixture.output).toContain('slow began');
    fixture.child.kill(signal);
    expect(await (await answer).json()).toEqual({ done: true });
    expect(await fixture.ended).toBe(0);
    const said = fixture
      .output()
      .split('\n')
      .filter((line) => /^(slow|close)/.test(line));
    expect(said).toEqual(['slow began', 'closed first', 'slow ended', 'closer 1', 'closer 2']);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});

test('an endless stream does not keep the process alive', async () => {
  const { fixture, url } = await listening();
  const stream = await fetch(`${url}/stream`);
  fixture.child.kill('SIGTERM');
  await expect(stream.text()).rejects.toThrow();
  expect(await fixture.ended).toBe(0);
});

test('the next closer runs after one fails', async () => {
  const { fixture } = await listening({ CLOSER: 'fails' });
  fixture.child.kill('SIGTERM');
  expect(await fixture.ended).toBe(0);
  expect(fixture.output()).toContain('closer 2');
});

test('the process exits at the deadline if a closer hangs', async () => {
  const { fixture } = await listening({ CLOSER: 'stuck' });
  fixture.child.kill('SIGTERM');
  expect(await fixture.ended).toBe(1);
  expect(fixture.output()).toContain('could not stop in time');
});

test('a failed start exits with status 1 and logs the reason', async () => {
  running = runFixture(script, { START: 'fails' });
  expect(await running.ended).toBe(1);
  expect(running.output()).toContain('no database');
});

test('a port in use exits with status 1 and is named in the log', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  running = runFixture(script, { PORT: String((other.address() as AddressInfo).port) });
  expect(await running.ended).toBe(1);
  expect(running.output()).toContain('EADDRINUSE');
  other.close();
});
