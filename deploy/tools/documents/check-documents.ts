import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';
import { asvsFaults } from './asvs.ts';
import { citationFault, citations, inCode, readText } from './citations.ts';
import { specificationFaults } from './specification.ts';

const IGNORED = /(^|\/)(node_modules|dist|\.git|\.types|\.data|coverage)(\/|$)|(^|\/)web\/\.dist-|package-lock\.json$/;

/** Links of a Markdown page to files of the repository. */
const RELATIVE_LINK = /\]\((?![a-z]+:|#)([^)#\s]+)/g;
/** Paths from the root of the repository, also of folders that such notes often point to and that it lacks. */
const ROOT_PATH = /(?<![\w@/.{}*-])((?:docs|deploy|services|gateway|web|shared)\/[\w./-]*\.[a-z]{2,4})(?![\w/*{-])/g;
const PAGE_NAME = /(?<![\w/.*-])([A-Za-z][\w-]*\.md)\b/g;

/** Links, paths and page names that lead nowhere, in all pages and sources. */
function linkFaults(): string[] {
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

/** What is wrong with docs/security.md: cited tests, RFC 8725, the inventory of collections. */
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

// The documents say which tests hold what they claim. A renamed test or file is named here.
const faults = [
  ...(await specificationFaults()).map((fault) => `docs/specification.md: ${fault}`),
  ...asvsFaults().map((fault) => `docs/asvs.md: ${fault}`),
  ...securityFaults().map((fault) => `docs/security.md: ${fault}`),
  ...linkFaults(),
];
for (const fault of faults) console.error(`✗ ${fault}`);
if (faults.length === 0) console.log('The documents cite what is there.');
process.exitCode = faults.length === 0 ? 0 : 1;
