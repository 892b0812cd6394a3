import { fitsTimeLimit } from '@interview-prep/contracts/catalog/answer-timing';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeFormula, unescapeFormula } from '../../../lib/csv.ts';
import { checkSets } from './check-sets.ts';
import { setsFromCsv, setsToCsv } from './csv-file.ts';
import { type FileSet, setKinds } from './file-set.ts';
import { setsFromJson, setsToJson } from './json-file.ts';

const technologies = [
  { id: '1', name: 'React', slug: 'react' },
  { id: '2', name: 'Node.js', slug: 'node-js' },
  // A name that equals another technology's slug.
  { id: '3', name: 'react', slug: 'react-2' },
];

/** Text that tends to break files: separators, quotes, line ends, formulas, apostrophes, other scripts. */
const nasty = fc.constantFrom(
  ',',
  ';',
  '\t',
  '"',
  '""',
  "'",
  '\n',
  '\r\n',
  '\r',
  '=',
  '+',
  '-',
  '@',
  '|',
  '\uFEFF',
  'é',
  '日本',
  '👩🏽‍💻',
  'שלום',
);
const text = (maxLength: number) =>
  fc
    .array(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 8 })
    .map((parts) => parts.join('').slice(0, maxLength).toWellFormed().trim());
const required = (maxLength: number) => text(maxLength).filter((value) => value !== '');

const point = fc.record({
  text: required(500),
  weight: fc.integer({ min: 1, max: 200 }).map((halves) => halves / 2),
  acceptedWordings: fc.array(required(100), { maxLength: 3 }),
  optional: fc.boolean(),
});

const times = fc
  .record(
    {
      thinkingSeconds: fc.integer({ min: 0, max: 600 }),
      timeLimitSeconds: fc.integer({ min: 15, max: 1800 }),
      lengthHintSeconds: fc.integer({ min: 10, max: 1800 }),
    },
    { requiredKeys: [] },
  )
  .filter(fitsTimeLimit);

const setOf = (kind: SessionKind): fc.Arbitrary<FileSet> =>
  fc.record({
    title: required(200),
    technology: fc.constantFrom(...technologies.map(({ slug }) => slug)),
    tags: fc.uniqueArray(required(50), { maxLength: 5 }),
    vocabulary: fc.uniqueArray(required(60), { maxLength: 5 }),
    language: fc.constantFrom('', 'de', 'haw'),
    status: fc.constantFrom('', 'draft', 'published', 'archived'),
    ...(kind === 'interview' ? { asksFollowUps: fc.boolean() } : {}),
    timing: kind === 'interview' ? times : fc.constant({}),
    pairs: fc.array(
      fc.record({
        question: required(500),
        answer: kind === 'interview' ? text(500) : required(500),
        points: kind === 'interview' ? fc.array(point, { minLength: 1, maxLength: 3 }) : fc.constant(undefined),
      }),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  });

/** The request bodies of the sets. */
const bodiesOf = (kind: SessionKind, sets: readonly FileSet[]) =>
  sets.map(({ title, technology, tags, vocabulary, language, status, asksFollowUps, timing, pairs }) =>
    setKinds[kind].schema.parse({
      title,
      technology,
      tags: [...tags],
      ...(vocabulary.length > 0 ? { vocabulary: [...vocabulary] } : {}),
      ...(language === '' ? {} : { language }),
      ...(status === '' ? {} : { status }),
      ...(asksFollowUps === undefined ? {} : { asksFollowUps }),
      ...timing,
      questions: pairs.map(({ question }) => question),
      [setKinds[kind].answersField]: pairs.map(({ answer }) => answer),
      ...(kind === 'interview' ? { expertPoints: pairs.map((pair) => pair.points) } : {}),
    }),
  );

describe.each<SessionKind>(['interview', 'practice'])('%s sets', (kind) => {
  const known = { technologies, sets: [] };
  // Some sets twice: duplicates of a title and technology must stay two sets.
  const sets = fc.array(setOf(kind), { minLength: 1, maxLength: 4 }).map((all) => [...all, ...all.slice(0, 1)]);

  test('sets survive a round trip through CSV', async () => {
    await fc.assert(
      fc.asyncProperty(sets, async (all) => {
        const { sets: read, errors } = checkSets(kind, await setsFromCsv(await setsToCsv(kind, all)), known);
        expect(errors).toEqual([]);
        expect(read.map(({ body }) => body)).toEqual(bodiesOf(kind, all));
      }),
      { numRuns: 200 },
    );
  });

  test('sets survive a round trip through JSON', () => {
    fc.assert(
      fc.property(sets, (all) => {
        const { sets: read, errors } = checkSets(kind, setsFromJson(setsToJson(kind, all)), known);
        expect(errors).toEqual([]);
        expect(read.map(({ body }) => body)).toEqual(bodiesOf(kind, all));
      }),
    );
  });

  test('no CSV cell starts like a formula', async () => {
    await fc.assert(
      fc.asyncProperty(sets, async (all) => {
        const { default: papa } = await import('papaparse');
        const { data } = papa.parse<string[]>((await setsToCsv(kind, all)).slice(1), {
          delimiter: ',',
          newline: '\r\n',
        });
        for (const cell of data.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r|%]/);
      }),
    );
  });
});

test.each(['=1+1', '+cmd', '-2', '@sum', "'=1", "''=1", '\tx', '＝1', '%0', '|x'])(
  '%j is escaped and restored',
  (cell) => {
    expect(escapeFormula(cell)).toBe(`'${cell}`);
    expect(unescapeFormula(escapeFormula(cell))).toBe(cell);
  },
);

test.each(['plain', "'quoted'", "it's", '', '1=1'])('%j needs no escaping', (cell) => {
  expect(escapeFormula(cell)).toBe(cell);
  expect(unescapeFormula(cell)).toBe(cell);
});
