import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';
import { expect, test } from 'vitest';
import { citationFault, citations, inCode } from './named-tests.ts';

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');
const page = read('docs/security.md');

test('every test that the page cites is there', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('.test.ts'));
  expect(rows.length).toBeGreaterThan(20);
  const faults = rows.flatMap(citations).map(citationFault);
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

test('RFC 8725 has all its items', () => {
  const items = [...page.matchAll(/^\| 3\.(\d+) \|/gm)].map(([, item]) => Number(item));
  expect(items).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('the inventory has every collection', () => {
  const sources = globSync('services/*/src/**/*.ts', { cwd: REPOSITORY });
  const collections = sources
    .filter((path) => !path.includes('/testing/'))
    .flatMap((path) => [...read(path).matchAll(/collection: '(\w+)'/g)].map(([, name]) => name as string));
  expect(collections.length).toBeGreaterThan(20);
  const inventory = page.slice(page.indexOf('\n## Data\n'), page.indexOf('\n## Logs\n'));
  expect(inCode(inventory)).toEqual(expect.arrayContaining([...new Set(collections)]));
});
