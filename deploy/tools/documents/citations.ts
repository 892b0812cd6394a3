import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';

export function readText(path: string): string {
  return readFileSync(join(REPOSITORY, path), 'utf8');
}

/** The text of all matching files under a folder. */
export function readAll(folder: string, names: RegExp): string {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** The `code` spans in a text. */
export function inCode(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}

/** The titles that a text cites, in "quotation marks". */
export function citedTitles(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"/g)].map(([, title]) => title as string);
}

const testFile = /\.test\.tsx?$/;
const sources = new Map<string, string>();

/** The text of a file, or of all tests of a folder. */
function sourceOf(path: string): string {
  const isFile = statSync(join(REPOSITORY, path)).isFile();
  const source = sources.get(path) ?? (isFile ? readText(path) : readAll(path, testFile));
  sources.set(path, source);
  return source;
}

/** The titles that are neither a test's title nor a table row's name in a file or folder. */
export function unknownTests(path: string, titles: readonly string[]): string[] {
  const source = sourceOf(path);
  return titles.filter((title) => !["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`)));
}

/** A file that a page cites. */
export interface Citation {
  path: string;
  /** The titles that follow it: tests of a test file, or headings of a page. */
  titles: string[];
}

const repositoryPath = /^(docs|deploy|services|gateway|web)\/[\w./-]+$|^(README\.md|\.dockerignore)$/;

/** The repository files that a text cites in `code`, each with the titles that follow it. */
export function citations(text: string): Citation[] {
  const cited: Citation[] = [];
  for (const [, title, code] of text.matchAll(/"([^"]+)"|`([^`]+)`/g)) {
    if (title !== undefined) cited.at(-1)?.titles.push(title);
    else if (code !== undefined && repositoryPath.test(code)) cited.push({ path: code, titles: [] });
  }
  return cited;
}

/** What is wrong with a citation; null if nothing is. */
export function citationFault({ path, titles }: Citation): string | null {
  if (!existsSync(join(REPOSITORY, path))) return `there is no ${path}`;
  const source = sourceOf(path);
  if (testFile.test(path) && titles.length === 0) return `no test of ${path} is named`;
  const isHeading = (title: string) => source.split('\n').includes(`## ${title}`);
  const unknown = path.endsWith('.md') ? titles.filter((title) => !isHeading(title)) : unknownTests(path, titles);
  return unknown.length === 0 ? null : `${path} lacks ${unknown.join(', ')}`;
}
