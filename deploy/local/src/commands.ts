import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

function isExecutable(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // This user cannot read or run it; a later folder on the PATH may have one that they can.
    return false;
  }
}

/** The path of the first of these commands that is on the PATH. */
export function findCommand(names: readonly string[]): string | undefined {
  return names
    .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find(isExecutable);
}
