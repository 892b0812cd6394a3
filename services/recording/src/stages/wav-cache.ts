import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A wav that nobody has fetched for this long is not coming to use. */
const longestMs = 60 * 60 * 1000;

/**
 * Hands the wav that the media stage has made to the transcription stage, where both run on the same machine. A stage
 * that does not find one makes it again from the recording.
 */
export interface WavCache {
  /** Takes over a file by renaming it. */
  keep(recordingId: string, run: number, path: string): Promise<void>;
  /** The kept file; null where there is none. */
  find(recordingId: string, run: number): Promise<string | null>;
  drop(recordingId: string, run: number): Promise<void>;
  /** Removes what was left behind. */
  sweep(): Promise<void>;
}

export async function openWavCache(spoolDir: string): Promise<WavCache> {
  const folder = join(spoolDir, 'recording-wavs');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (recordingId: string, run: number) => join(folder, `${recordingId}-${run}.wav`);
  return {
    keep: (recordingId, run, path) => rename(path, pathOf(recordingId, run)),
    find: (recordingId, run) =>
      access(pathOf(recordingId, run)).then(
        () => pathOf(recordingId, run),
        () => null,
      ),
    drop: (recordingId, run) => rm(pathOf(recordingId, run), { force: true }),
    async sweep() {
      for (const name of await readdir(folder)) {
        const path = join(folder, name);
        // Another process may have removed it just now.
        const found = await stat(path).catch(() => null);
        if (found && found.mtimeMs < Date.now() - longestMs) await rm(path, { force: true });
      }
    },
  };
}
