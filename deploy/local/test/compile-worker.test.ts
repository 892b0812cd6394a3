import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compileWorkerWhenStale } from '../src/compile-worker.ts';

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'compile-worker-test-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(cache, { recursive: true });
});

it('leaves all code of the worker in the compile cache, and does so once', async () => {
  vi.stubEnv('NODE_COMPILE_CACHE', cache);
  await compileWorkerWhenStale(process.env);
  const modules = await readdir(cache, { recursive: true });
  // Its own modules are 150; the libraries that it loads have many more.
  expect(modules.length).toBeGreaterThan(500);
  const stamp = join(cache, 'worker-sources');
  const { mtimeMs } = await stat(stamp);
  await compileWorkerWhenStale(process.env);
  expect((await stat(stamp)).mtimeMs).toBe(mtimeMs);
});

it('does nothing without a compile cache', async () => {
  await compileWorkerWhenStale({});
  expect(await readdir(cache)).toEqual([]);
});
