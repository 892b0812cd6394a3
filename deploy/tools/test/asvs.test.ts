import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';
import { describe, expect, test } from 'vitest';
import { citationFault, citations } from './named-tests.ts';

const page = readFileSync(join(REPOSITORY, 'docs/asvs.md'), 'utf8');

/** How many requirements of level 1 and 2 each section has. In every section they come before those of level 3. */
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

const rows = [...page.matchAll(/^\| (\d+)(\.\d+\.\d+) \| (\d) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, chapter, rest, level, words, state = '', held = '']) => ({
    number: `${chapter}${rest}`,
    chapter: `V${chapter}`,
    level,
    words,
    state,
    held,
  }),
);

test('each requirement of level 1 and 2 has one row, in order', () => {
  const wanted = sections.flatMap(([section, count]) =>
    Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`),
  );
  expect(rows.map(({ number }) => number)).toEqual(wanted);
  for (const [level, count] of Object.entries(levels))
    expect(rows.filter((row) => row.level === level)).toHaveLength(count);
});

describe('what a row cites is there', () => {
  test.each(rows)('$number $words', ({ state, held }) => {
    expect(states).toContain(state);
    const cited = citations(held);
    if (state === 'met' || state === 'by setting') expect(cited).not.toHaveLength(0);
    expect(cited.map(citationFault).filter((fault) => fault !== null)).toEqual([]);
  });
});

test('the totals are right', () => {
  const count = (of: typeof rows) => states.map((state) => of.filter((row) => row.state === state).length);
  for (const chapter of new Set(rows.map((row) => row.chapter))) {
    const counts = count(rows.filter((row) => row.chapter === chapter));
    expect(page).toMatch(new RegExp(`^\\| ${chapter} [^|]+ \\| ${counts.join(' \\| ')} \\|$`, 'm'));
  }
  const [met, bySetting, notApplicable, missing] = count(rows);
  expect(page).toContain(
    `Of ${rows.length}, ${met} are met, ${bySetting} more with a setting that is named, ${notApplicable} are not applicable, and ${missing} are openly missing`,
  );
  expect(page).toContain(
    `| **all** | ${count(rows)
      .map((number) => `**${number}**`)
      .join(' | ')} |`,
  );
});
