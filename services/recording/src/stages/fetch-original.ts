import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { permanentFailure } from '@interview-prep/kit/job-queues';
import { ObjectMissing, type ObjectStore } from '../object-store.ts';
import type { Recording } from '../recordings/model.ts';

/** Copies what was uploaded into a folder and gives its path. @throws a permanent failure where it is gone */
export async function fetchOriginal(
  { original, container }: Pick<Recording, 'original' | 'container'>,
  folder: string,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<string> {
  const path = join(folder, `original.${container}`);
  try {
    await pipeline(await store.get(original.key, { signal }), createWriteStream(path), { signal });
  } catch (error) {
    if (error instanceof ObjectMissing) throw permanentFailure('The recording is not in the store any more');
    throw error;
  }
  return path;
}
