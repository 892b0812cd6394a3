import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const isExecutable = (path: string): boolean => {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not this user's to see or to run: the next folder on the PATH may hold one that is.
    return false;
  }
};

/** The path of the first of these commands that is on the PATH. */
export const findCommand = (names: readonly string[]): string | undefined =>
  names
    .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find(isExecutable);
