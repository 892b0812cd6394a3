import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';
import { readText } from './citations.ts';

const IGNORED = /(^|\/)(node_modules|dist|\.git|\.types|\.data|coverage)(\/|$)|(^|\/)web\/\.dist-|package-lock\.json$/;

/** Links of a Markdown page to files of the repository. */
const RELATIVE_LINK = /\]\((?![a-z]+:|#)([^)#\s]+)/g;
/** Paths from the root of the repository, also of folders that such notes often point to and that it lacks. */
const ROOT_PATH = /(?<![\w@/.{}*-])((?:docs|deploy|services|gateway|web|shared)\/[\w./-]*\.[a-z]{2,4})(?![\w/*{-])/g;
const PAGE_NAME = /(?<![\w/.*-])([A-Za-z][\w-]*\.md)\b/g;

/** Links, paths and page names that lead nowhere, in all pages and sources. */
export function linkFaults(): string[] {
  const files = globSync('**/*.{md,ts,tsx,mjs,cjs,css,html,json,sh,yml}', {
    cwd: REPOSITORY,
    exclude: (path) => IGNORED.test(path),
  }).filter((path) => !IGNORED.test(path));
  const markdown = files.filter((path) => path.endsWith('.md'));
  const pages = new Set(markdown.map((path) => basename(path)));
  // What the web build writes is there only after it.
  const exists = (path: string) => path.startsWith('web/dist/') || existsSync(join(REPOSITORY, path));
  const broken = (paths: readonly string[], pattern: RegExp, leads: (cited: string, path: string) => boolean) =>
    paths.flatMap((path) =>
      [...readText(path).matchAll(pattern)]
        .map(([, cited]) => cited ?? '')
        .filter((cited) => !leads(cited, path))
        .map((cited) => `${path} cites ${cited}, which is not there`),
    );
  return [
    ...broken(markdown, RELATIVE_LINK, (link, path) => exists(normalize(join(dirname(path), link)))),
    ...broken(files, ROOT_PATH, exists),
    ...broken(files, PAGE_NAME, (name) => pages.has(name)),
  ];
}
