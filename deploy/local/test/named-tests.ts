import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../src/settings.ts';

/** The text of all files under a folder whose names match. */
export function readAll(folder: string, names: RegExp): string {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

const sources = new Map<string, string>();
function sourceOf(folder: string): string {
  const source = sources.get(folder) ?? readAll(folder, /\.test\.tsx?$/);
  sources.set(folder, source);
  return source;
}

/** Which of these titles no test of the folder has. */
export function unknownTests(folder: string, titles: readonly string[]): string[] {
  const source = sourceOf(folder);
  return titles.filter((title) => ![`'${title}'`, `"${title}"`, `\`${title}\``].some((text) => source.includes(text)));
}
