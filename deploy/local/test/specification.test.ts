import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  specifiedCalls,
  specifiedConstants,
  specifiedMessages,
  specifiedRoutes,
  specifiedRules,
} from './specification-words.ts';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/specification.md', root), 'utf8');

/** A row of docs/specification.md. */
interface Row {
  section: string;
  words: string;
  implemented: string;
  held: string;
}

function rowsOf(markdown: string): Row[] {
  let section = '';
  return markdown.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) section = line.slice(3);
    if (!line.startsWith('| ') || line.startsWith('| Specification |')) return [];
    const [, words = '', implemented = '', held = ''] = line.split('|');
    return [{ section, words: words.trim(), implemented: implemented.trim(), held: held.trim() }];
  });
}

const rows = rowsOf(page);
const inCode = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
const contents = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const oneLine = (text: string) => text.replace(/\s+/g, ' ');
const rowsOfSection = (number: number) => rows.filter(({ section }) => section.startsWith(`${number}. `));

test.each(rows)('$section: $words', ({ words, implemented, held }) => {
  const places = implemented.split('<br>').map(inCode);
  const sources = places.map(([path = '', ...names]) => {
    expect(existsSync(new URL(path, root)) && path !== '', `${path} exists`).toBe(true);
    const source = contents(path);
    for (const name of names) expect(source, `${name} in ${path}`).toMatch(new RegExp(`\\b${name}\\b`));
    return oneLine(source);
  });
  for (const part of inCode(words).flatMap((word) => word.split(/\{[^}]*\}/))) {
    expect(
      sources.some((source) => source.includes(oneLine(part.trim()))),
      `“${part}” in ${implemented}`,
    ).toBe(true);
  }

  const tests = held.split('<br>');
  for (const one of tests) {
    const [path = ''] = inCode(one);
    const titles = [...one.matchAll(/"([^"]+)"/g)].map(([, title]) => title as string);
    expect(path).toMatch(/\.test\.tsx?$/);
    expect(titles, `a test of ${path} is named`).not.toHaveLength(0);
    expect(existsSync(new URL(path, root)), `${path} exists`).toBe(true);
    const source = contents(path);
    for (const title of titles) {
      const quoted = [`'${title}'`, `"${title}"`, `\`${title}\``];
      expect(
        quoted.some((literal) => source.includes(literal)),
        `"${title}" in ${path}`,
      ).toBe(true);
    }
  }
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

test.each(specifiedCalls)('section 7 has %s', (call) => {
  const [method, path] = call.split(' ');
  expect(rowsOfSection(7).some(({ words }) => words.startsWith(`${method} \`${path}\``))).toBe(true);
});
