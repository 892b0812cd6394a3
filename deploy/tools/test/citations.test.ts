import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';
import { expect, test } from 'vitest';

const IGNORED = /(^|\/)(node_modules|dist|\.git|\.types|\.data|coverage)(\/|$)|(^|\/)web\/\.dist-|package-lock\.json$/;
const files = globSync('**/*.{md,ts,tsx,mjs,cjs,css,html,json,sh,yml}', {
  cwd: REPOSITORY,
  exclude: (path) => IGNORED.test(path),
}).filter((path) => !IGNORED.test(path));
const pages = new Set(files.filter((path) => path.endsWith('.md')).map((path) => basename(path)));

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
/** What the web build writes is there only after it. */
const BUILT = 'web/dist/';
const exists = (path: string): boolean => path.startsWith(BUILT) || existsSync(join(REPOSITORY, path));
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, cited]) => cited ?? '');

/** Links of a Markdown page to files of the repository. */
const RELATIVE_LINK = /\]\((?![a-z]+:|#)([^)#\s]+)/g;
/** Paths from the root of the repository, also of folders that such notes often point to and that it lacks. */
const ROOT_PATH = /(?<![\w@/.{}*-])((?:docs|deploy|services|gateway|web|shared)\/[\w./-]*\.[a-z]{2,4})(?![\w/*{-])/g;
const PAGE_NAME = /(?<![\w/.*-])([A-Za-z][\w-]*\.md)\b/g;

/** Each citation that leads nowhere, with the file that holds it. */
const broken = (paths: readonly string[], pattern: RegExp, leads: (cited: string, path: string) => boolean): string[] =>
  paths.flatMap((path) =>
    matches(read(path), pattern)
      .filter((cited) => !leads(cited, path))
      .map((cited) => `${path}: ${cited}`),
  );

test('there is something to check', () => {
  expect(files).toContain('README.md');
  expect(files.length).toBeGreaterThan(300);
  expect(matches(read('README.md'), RELATIVE_LINK).length).toBeGreaterThan(0);
});

test('the links of every page lead to files', () => {
  const isFile = (link: string, path: string) => exists(normalize(join(dirname(path), link)));
  const markdown = files.filter((path) => path.endsWith('.md'));
  expect(broken(markdown, RELATIVE_LINK, isFile)).toEqual([]);
});

test('paths of the repository that a page or a comment cites exist', () => {
  expect(broken(files, ROOT_PATH, exists)).toEqual([]);
});

test('pages that are cited by their name exist', () => {
  expect(broken(files, PAGE_NAME, (name) => pages.has(name))).toEqual([]);
});
