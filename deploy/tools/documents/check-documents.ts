import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { allRoutes } from '@interview-prep/contracts/api/routes';
import { buildWebWhenStale } from '@interview-prep/local/build-web';
import { REPOSITORY } from '@interview-prep/local/settings';
import specified from './specified.json' with { type: 'json' };

function readText(path: string): string {
  return readFileSync(join(REPOSITORY, path), 'utf8');
}

/** The text of all matching files under a folder. */
function readAll(folder: string, names: RegExp): string {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** The `code` spans in a text. */
function inCode(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}

/** The titles that a text cites, in "quotation marks". */
function citedTitles(text: string): string[] {
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
function unknownTests(path: string, titles: readonly string[]): string[] {
  const source = sourceOf(path);
  return titles.filter((title) => !["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`)));
}

/** A file that a page cites. */
interface Citation {
  path: string;
  /** The titles that follow it: tests of a test file, or headings of a page. */
  titles: string[];
}

const repositoryPath = /^(docs|deploy|services|gateway|web)\/[\w./-]+$|^(README\.md|\.dockerignore)$/;

/** The repository files that a text cites in `code`, each with the titles that follow it. */
function citations(text: string): Citation[] {
  const cited: Citation[] = [];
  for (const [, title, code] of text.matchAll(/"([^"]+)"|`([^`]+)`/g)) {
    if (title !== undefined) cited.at(-1)?.titles.push(title);
    else if (code !== undefined && repositoryPath.test(code)) cited.push({ path: code, titles: [] });
  }
  return cited;
}

/** What is wrong with a citation; null if nothing is. */
function citationFault({ path, titles }: Citation): string | null {
  if (!existsSync(join(REPOSITORY, path))) return `there is no ${path}`;
  const source = sourceOf(path);
  if (testFile.test(path) && titles.length === 0) return `no test of ${path} is named`;
  const isHeading = (title: string) => source.split('\n').includes(`## ${title}`);
  const unknown = path.endsWith('.md') ? titles.filter((title) => !isHeading(title)) : unknownTests(path, titles);
  return unknown.length === 0 ? null : `${path} lacks ${unknown.join(', ')}`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

/** The number of level 1 and 2 requirements in each section, which come before those of level 3. */
const sections = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4
  11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7
  16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`
  .trim()
  .split(/\s+/)
  .map((entry) => entry.split(':'));

const levels = { '1': 70, '2': 183 };

const states = ['met', 'by setting', 'not applicable', 'missing'];

const IGNORED = /(^|\/)(node_modules|dist|\.git|\.types|\.data|coverage)(\/|$)|(^|\/)web\/\.dist-|package-lock\.json$/;

/** Links in a Markdown page to files in the repository. */
const RELATIVE_LINK = /\]\((?![a-z]+:|#)([^)#\s]+)/g;
/** Paths from the repository's root, and in `shared/`, which notes often cite although the repository lacks it. */
const ROOT_PATH = /(?<![\w@/.{}*-])((?:docs|deploy|services|gateway|web|shared)\/[\w./-]*\.[a-z]{2,4})(?![\w/*{-])/g;
const PAGE_NAME = /(?<![\w/.*-])([A-Za-z][\w-]*\.md)\b/g;

/** Finds broken links, paths and page names in all pages and sources. */
function linkFaults(): string[] {
  const files = globSync('**/*.{md,ts,tsx,mjs,cjs,css,html,json,sh,yml}', {
    cwd: REPOSITORY,
    exclude: (path) => IGNORED.test(path),
  }).filter((path) => !IGNORED.test(path));
  const markdown = files.filter((path) => path.endsWith('.md'));
  const pages = new Set(markdown.map((path) => basename(path)));
  // Build output may not exist yet.
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

/** Finds errors in docs/security.md: cited tests, RFC 8725, the inventory of collections. */
function securityFaults(): string[] {
  const page = readText('docs/security.md');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('.test.ts'));
  const faults = rows.flatMap(citations).flatMap((cited) => citationFault(cited) ?? []);
  const items = [...page.matchAll(/^\| 3\.(\d+) \|/gm)].map(([, item]) => Number(item));
  if (items.join() !== '1,2,3,4,5,6,7,8,9,10,11,12') faults.push('RFC 8725 lacks an item');
  const inventory = inCode(page.slice(page.indexOf('\n## Data\n'), page.indexOf('\n## Logs\n')));
  const sources = globSync('services/*/src/**/*.ts', { cwd: REPOSITORY }).filter((path) => !path.includes('/testing/'));
  const collections = sources.flatMap((path) => [...readText(path).matchAll(/collection: '(\w+)'/g)]);
  for (const name of new Set(collections.map(([, name]) => name ?? '')))
    if (!inventory.includes(name)) faults.push(`the inventory lacks ${name}`);
  return faults;
}

// The documents cite the tests that prove their claims. This catches renamed tests and files.
const faults = [
  ...(await specificationFaults()).map((fault) => `docs/specification.md: ${fault}`),
  ...asvsFaults().map((fault) => `docs/asvs.md: ${fault}`),
  ...securityFaults().map((fault) => `docs/security.md: ${fault}`),
  ...linkFaults(),
];
for (const fault of faults) console.error(`✗ ${fault}`);
if (faults.length === 0) console.log('The documents cite what is there.');
process.exitCode = faults.length === 0 ? 0 : 1;

/** Finds errors in docs/asvs.md: rows, citations, totals. */
function asvsFaults(): string[] {
  const page = readText('docs/asvs.md');
  const faults: string[] = [];
  const rows = [...page.matchAll(/^\| (\d+)(\.\d+\.\d+) \| (\d) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, chapter, rest, level, , state = '', held = '']) => ({
      number: `${chapter}${rest}`,
      chapter: `V${chapter}`,
      level,
      state,
      held,
    }),
  );
  const wanted = sections.flatMap(([section, count]) =>
    Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`),
  );
  if (rows.map(({ number }) => number).join() !== wanted.join())
    faults.push('not one row for each requirement, in order');
  for (const [level, count] of Object.entries(levels))
    if (rows.filter((row) => row.level === level).length !== count) faults.push(`level ${level} has not ${count} rows`);
  for (const { number, state, held } of rows) {
    if (!states.includes(state)) faults.push(`${number} has the unknown state ${state}`);
    const cited = citations(held);
    if (/^(met|by setting)$/.test(state) && cited.length === 0) faults.push(`${number} cites nothing`);
    faults.push(...cited.map(citationFault).flatMap((fault) => (fault === null ? [] : [`${number}: ${fault}`])));
  }
  const count = (of: typeof rows) => states.map((state) => of.filter((row) => row.state === state).length);
  const totals = [...new Set(rows.map((row) => row.chapter))].map((chapter) => ({
    name: chapter,
    line: `| ${count(rows.filter((row) => row.chapter === chapter)).join(' | ')} |`,
  }));
  for (const { name, line } of totals)
    if (!page.split('\n').some((each) => each.startsWith(`| ${name} `) && each.endsWith(line)))
      faults.push(`the totals of ${name} are ${line}`);
  const [met, bySetting, notApplicable, missing] = count(rows);
  const sentence = `Of ${rows.length}, ${met} are met, ${bySetting} more with a setting that is named, ${notApplicable} are not applicable, and ${missing} are openly missing`;
  const all = `| **all** | ${count(rows)
    .map((number) => `**${number}**`)
    .join(' | ')} |`;
  return [...faults, ...[sentence, all].filter((text) => !page.includes(text)).map((text) => `lacks: ${text}`)];
}

/** The rows of docs/specification.md. */
function readRows() {
  let section = '';
  return readText('docs/specification.md')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('## ')) section = line.slice(3);
      if (!line.startsWith('| ') || line.startsWith('| Specification |')) return [];
      const [, words = '', held = ''] = line.split('|');
      return [{ section, words: words.trim(), held: held.trim() }];
    });
}

/** Finds errors in docs/specification.md: words missing in the built web app, missing tests, missing rows. */
async function specificationFaults(): Promise<string[]> {
  await buildWebWhenStale(() => undefined);
  const webApp = oneLine(readAll('web/dist', /\.(js|html)$/));
  const rows = readRows();
  // A number somewhere in the web app proves nothing: the row's tests check it.
  const isNumber = (word: string) => /^[\d.:]+$/.test(word);
  const faults = rows.flatMap(({ section, words, held }) => {
    const shown = inCode(words).flatMap((word) => (isNumber(word) ? [] : word.split(/\{[^}]*\}/)));
    const missing = shown.filter((part) => !webApp.includes(oneLine(part.trim())));
    const unknown = held.split('<br>').flatMap((one) => {
      const [folder = ''] = inCode(one);
      const titles = citedTitles(one);
      return titles.length === 0 ? [`no test of ${folder} is named`] : unknownTests(folder, titles);
    });
    return [
      ...missing.map((part) => `${section}: "${part}" is not in the built web app`),
      ...unknown.map((title) => `${section}: no such test: ${title}`),
    ];
  });

  const wordsOf = (number: number) =>
    rows.filter(({ section }) => section.startsWith(`${number}. `)).map(({ words }) => words);
  const sections = [...new Set(rows.map(({ section }) => section.slice(0, 1)))].join('');
  const calls = allRoutes.map(([, route]) => `${route.method.toUpperCase()} ${route.path.replace(/:\w+/g, '{id}')}`);
  const wanted: [text: string, isThere: boolean][] = [
    ['the sections 1 to 9', sections === '123456789'],
    ...specified.messages.map((text): [string, boolean] => [text, wordsOf(8).flatMap(inCode).includes(text)]),
    ...specified.constants.map(([what = '', value = '']): [string, boolean] => [
      `${what}: ${value}`,
      wordsOf(9).some((words) => words.includes(what) && inCode(words).includes(value)),
    ]),
    ...specified.rules.map((rule): [string, boolean] => [rule, wordsOf(9).some((words) => words.startsWith(rule))]),
    ...specified.routes.map((path): [string, boolean] => [path, wordsOf(2).some((words) => inCode(words)[0] === path)]),
    ...specified.calls.map((call): [string, boolean] => {
      const [method, path] = call.split(' ');
      return [call, calls.includes(call) && wordsOf(7).some((words) => words.startsWith(`${method} \`${path}\``))];
    }),
  ];
  return [...faults, ...wanted.flatMap(([text, isThere]) => (isThere ? [] : [`lacks ${text}`]))];
}
