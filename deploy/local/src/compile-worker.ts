import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import { hashSources } from './hash-sources.ts';
import { recordingNodeOptions, WORKER } from './product-processes.ts';
import { type Environment, REPOSITORY } from './settings.ts';

const SOURCES = ['services/contracts/src', 'services/kit/src', 'services/recording/src'];

/**
 * Fills Node's compile cache with the worker's code, unless it holds the present sources. A worker that strips types and
 * compiles by itself keeps 10 MB more for as long as it runs. Does nothing without NODE_COMPILE_CACHE.
 */
export async function compileWorkerWhenStale(env: Environment): Promise<void> {
  const cache = env.NODE_COMPILE_CACHE;
  if (!cache) return;
  const nodeOptions = recordingNodeOptions(env);
  // Node ignores what another version of it, or other options, compiled.
  const present = [process.version, nodeOptions, ...WORKER.options, await hashSources(SOURCES, ['package-lock.json'])];
  const stamp = join(cache, 'worker-sources');
  const compiled = await readFile(stamp, 'utf8').catch(() => '');
  if (compiled === present.join(' ')) return;
  // Without settings it ends once all of its code is loaded, and Node writes the cache as it ends.
  const worker = spawn(process.execPath, [...WORKER.options, join(REPOSITORY, WORKER.entry)], {
    env: childEnvironment({ NODE_ENV: 'production', NODE_OPTIONS: nodeOptions }),
    stdio: 'ignore',
  });
  await once(worker, 'close');
  // Where the cache cannot be written, the worker compiles by itself.
  await writeFile(stamp, present.join(' ')).catch(() => undefined);
}
