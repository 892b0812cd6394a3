import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unavailable } from '@interview-prep/kit/http/http-error';
import { permanentFailure } from '@interview-prep/kit/redis/job-queues';
import { ObjectMissing, type ObjectStore } from '../object-store/object-store.ts';
import type { Recording } from '../recordings/model.ts';

/** Reports a broken transfer as an outage of the object store. Passes disk errors through. */
async function* readObject(chunks: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    signal.throwIfAborted();
    throw unavailable('The recording could not be fetched from the store', error, 'object-store');
  }
}

/** Downloads the uploaded media into a folder. @returns its path. @throws a permanent failure if it is missing */
export async function fetchOriginal(
  { original, container }: Pick<Recording, 'original' | 'container'>,
  folder: string,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, `original.${container}`);
  try {
    const chunks = await store.get(original.key, { signal });
    await pipeline(readObject(chunks, signal), createWriteStream(path), { signal });
  } catch (error) {
    if (error instanceof ObjectMissing) throw permanentFailure('The recording is not in the store any more');
    throw error;
  }
  return path;
}
