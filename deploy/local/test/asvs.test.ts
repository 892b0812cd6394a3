import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from '../src/settings.ts';
import { unknownTests } from './named-tests.ts';

const states = ['met', 'by setting', 'not applicable', 'missing'];

/** How many requirements of the levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const counts = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

const page = readFileSync(join(REPOSITORY, 'docs/asvs.md'), 'utf8');
const rows = page.split('\n').flatMap((line) => {
  const found = /^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| ([^|]+) \| (.+) \|$/.exec(line);
  return found ? [{ number: found[1] ?? '', state: found[4] ?? '', held: found[5] ?? '' }] : [];
});

test('the page has every requirement once', () => {
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
  const found = counts.map((_, chapter) => rows.filter(({ number }) => number.startsWith(`${chapter + 1}.`)).length);
  expect(found).toEqual(counts);
});

test('its summary has the numbers of its rows', () => {
  const of = (state: string) => rows.filter((row) => row.state === state).length;
  const [met, bySetting, notApplicable, missing] = states.map(of);
  const summary = `Of ${rows.length}, ${met} are met, ${bySetting} more with a setting that is named, ${notApplicable} are not applicable, for the reason given, and ${missing} are openly missing`;
  expect(page).toContain(summary);
  expect(rows.every(({ state }) => states.includes(state))).toBe(true);
});

/** The best practices of RFC 8725, section 3; tokens that are encrypted, its 3.6, there are none. */
const practices = page.split('\n').flatMap((line) => {
  const found = /^\| (3\.\d+) \| ([^|]+) \| (.+) \|$/.exec(line);
  return found && found[1] !== '3.6' ? [{ number: `RFC 8725, ${found[1]}`, held: found[3] ?? '' }] : [];
});

test('RFC 8725 is there whole', () => {
  expect(practices).toHaveLength(11);
});

const held = rows.filter(({ state }) => state === 'met' || state === 'by setting');

test.each([...held, ...practices])('$number names a test or a page', ({ held }) => {
  const pages = [...held.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path);
  for (const path of pages) expect(existsSync(join(REPOSITORY, 'docs', path)), path).toBe(true);
  const cited = held.split('<br>').flatMap((one) => {
    const [, folder = ''] = /^`([\w/-]+)` "/.exec(one) ?? [];
    return [...one.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ folder, title }));
  });
  expect(pages.length + cited.length).toBeGreaterThan(0);
  for (const { folder, title } of cited) expect(unknownTests(folder, [title]), folder).toEqual([]);
});
