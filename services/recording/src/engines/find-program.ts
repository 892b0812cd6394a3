import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program on the PATH; null if it is not installed. */
export function findProgram(name: string): string | null {
  const paths = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return paths.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
