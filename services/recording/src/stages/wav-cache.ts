import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files not fetched for this long are removed. */
const maxAgeMs = 60 * 60 * 1000;

/**
 * Hands the media stage's WAV file to the transcription stage, if both run on one machine. A stage that finds none
 * recreates it from the recording.
 */
export interface WavCache {
  /** Moves a file into the cache, if there is room. */
  keep(recordingId: string, run: number, path: string): Promise<void>;
  /** The path of a cached file; null if there is none. */
  find(recordingId: string, run: number): Promise<string | null>;
  drop(recordingId: string, run: number): Promise<void>;
  /** The path of a file of an answer that is still being spoken. */
  pathOf(uploadId: string, ending: 'media' | 'wav' | 'speech'): string;
  /** Whether there is room for more files. */
  hasRoom(): Promise<boolean>;
  /** Removes the files of a finished answer. */
  forget(uploadId: string): Promise<void>;
  /** Removes files that are too old. */
  sweep(): Promise<void>;
}

/** Opens the cache in `spoolDir`, shared by all workers on one machine. @param maxBytes the total size of its files */
export async function openWavCache(spoolDir: string, maxBytes: number): Promise<WavCache> {
  const folder = join(spoolDir, 'recording-wavs');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (recordingId: string, run: number) => join(folder, `${recordingId}-${run}.wav`);
  const hasRoom = async (neededBytes = 0) => {
    const kept = await Promise.all((await readdir(folder)).map((name) => sizeOf(join(folder, name))));
    return kept.reduce((sum, size) => sum + size, neededBytes) <= maxBytes;
  };
  return {
    async keep(recordingId, run, path) {
      if (await hasRoom(await sizeOf(path))) await rename(path, pathOf(recordingId, run));
    },
    pathOf: (uploadId, ending) => join(folder, `${uploadId}.${ending}`),
    hasRoom,
    async forget(uploadId) {
      for (const ending of ['media', 'wav', 'speech']) await rm(join(folder, `${uploadId}.${ending}`), { force: true });
    },
    find: (recordingId, run) =>
      access(pathOf(recordingId, run)).then(
        () => pathOf(recordingId, run),
        () => null,
      ),
    drop: (recordingId, run) => rm(pathOf(recordingId, run), { force: true }),
    async sweep() {
      for (const name of await readdir(folder)) {
        const path = join(folder, name);
        // Another process may have just removed it.
        const found = await stat(path).catch(() => null);
        if (found && found.mtimeMs < Date.now() - maxAgeMs) await rm(path, { force: true });
      }
    },
  };
}

/** The size of a file; 0 if another process has just removed it. */
function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
