import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from './settings.ts';

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(join(REPOSITORY, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * A hash of the paths and contents of files, in hexadecimal: what was built from them is stale once it differs.
 * @param folders with all that is in them, but for tests; one that is missing counts as empty
 * @param files paths in the repository, as those of the folders
 */
export async function hashSources(folders: readonly string[], files: readonly string[]): Promise<string> {
  const found = (await Promise.all(folders.map(filesUnder))).flat();
  const hash = createHash('sha256');
  for (const path of [...found, ...files.map((file) => join(REPOSITORY, file))].toSorted()) {
    hash
      .update(`${path.slice(REPOSITORY.length)}\0`)
      .update(await readFile(path))
      .update('\0');
  }
  return hash.digest('hex');
}
