import { mkdir, rm } from 'node:fs/promises';
import type { WorkFolder } from '../work-folder.ts';

/** Calls `act` with an empty folder of its own, and removes that afterwards. */
export async function withFolder<Result>(work: WorkFolder, act: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = work.newPath();
  await mkdir(folder, { mode: 0o700 });
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
