import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unavailable } from '@interview-prep/kit/http-error';
import { permanentFailure } from '@interview-prep/kit/job-queues';
import { ObjectMissing, type ObjectStore } from '../object-store.ts';
import type { Recording } from '../recordings/model.ts';

/** What breaks off on its way is the store's being away, unlike what goes wrong with the file that is written. */
async function* transferred(chunks: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    signal.throwIfAborted();
    throw unavailable('The recording could not be fetched from the store', error, 'object-store');
  }
}

/** Copies what was uploaded into a folder and gives its path. @throws a permanent failure where it is gone */
export async function fetchOriginal(
  { original, container }: Pick<Recording, 'original' | 'container'>,
  folder: string,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, `original.${container}`);
  try {
    const chunks = await store.get(original.key, { signal });
    await pipeline(transferred(chunks, signal), createWriteStream(path), { signal });
  } catch (error) {
    if (error instanceof ObjectMissing) throw permanentFailure('The recording is not in the store any more');
    throw error;
  }
  return path;
}
