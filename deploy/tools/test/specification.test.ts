import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRoutes } from '@interview-prep/contracts/routes';
import { buildWebWhenStale } from '@interview-prep/local/build-web';
import { REPOSITORY } from '@interview-prep/local/settings';
import { beforeAll, describe, expect, test } from 'vitest';
import { citedTitles, inCode, readAll, unknownTests } from './named-tests.ts';
import {
  specifiedCalls,
  specifiedConstants,
  specifiedMessages,
  specifiedRoutes,
  specifiedRules,
} from './specification-words.ts';

/** A row of docs/specification.md. */
interface Row {
  section: string;
  words: string;
  held: string;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

function rowsOf(markdown: string): Row[] {
  let section = '';
  return markdown.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) section = line.slice(3);
    if (!line.startsWith('| ') || line.startsWith('| Specification |')) return [];
    const [, words = '', held = ''] = line.split('|');
    return [{ section, words: words.trim(), held: held.trim() }];
  });
}

const rows = rowsOf(readFileSync(join(REPOSITORY, 'docs/specification.md'), 'utf8'));
const rowsOfSection = (number: number) => rows.filter(({ section }) => section.startsWith(`${number}. `));
/** A number proves nothing by being somewhere in the web app: the row's tests hold it. */
const isNumber = (word: string): boolean => /^[\d.:]+$/.test(word);

describe('what the page says of the product', () => {
  let webApp: string;
  beforeAll(async () => {
    await buildWebWhenStale(() => undefined);
    webApp = oneLine(readAll('web/dist', /\.(js|html)$/));
  }, 120_000);

  test.each(rows)('$section: $words', ({ words, held }) => {
    const shown = inCode(words).flatMap((word) => (isNumber(word) ? [] : word.split(/\{[^}]*\}/)));
    const missing = shown.filter((part) => !webApp.includes(oneLine(part.trim())));
    expect(missing, 'not in the built web app').toEqual([]);

    for (const one of held.split('<br>')) {
      const [folder = ''] = inCode(one);
      const titles = citedTitles(one);
      expect(titles, `no test of ${folder} is named`).not.toHaveLength(0);
      const unknown = unknownTests(folder, titles);
      expect(unknown, `not among the tests of ${folder}`).toEqual([]);
    }
  });
});

test('the sections are those of the specification', () => {
  expect([...new Set(rows.map(({ section }) => section.slice(0, 1)))]).toEqual([...'123456789']);
});

test.each(specifiedMessages)('section 8 has the message %s', (message) => {
  expect(rowsOfSection(8).flatMap(({ words }) => inCode(words))).toContain(message);
});

test.each(specifiedConstants)('section 9 has %s: %s', (what, value) => {
  const found = rowsOfSection(9).filter(({ words }) => words.includes(what) && inCode(words).includes(value));
  expect(found).not.toHaveLength(0);
});

test.each(specifiedRules)('section 9 says: %s', (rule) => {
  expect(rowsOfSection(9).some(({ words }) => words.startsWith(rule))).toBe(true);
});

test.each(specifiedRoutes)('section 2 has a row for %s', (route) => {
  expect(rowsOfSection(2).map(({ words }) => inCode(words)[0])).toContain(route);
});

test.each(specifiedCalls)('section 7 has %s, and the API has it', (call) => {
  const [method = '', path = ''] = call.split(' ');
  expect(rowsOfSection(7).some(({ words }) => words.startsWith(`${method} \`${path}\``))).toBe(true);
  const calls = allRoutes.map(([, route]) => `${route.method.toUpperCase()} ${route.path.replace(/:\w+/g, '{id}')}`);
  expect(calls).toContain(call);
});
