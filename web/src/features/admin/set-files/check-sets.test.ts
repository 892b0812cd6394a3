import { expect, test } from 'vitest';
import { setOf } from '../../../test/fake-api.ts';
import { practiceSetOf } from '../../../test/fake-catalog.ts';
import { checkSets } from './check-sets.ts';
import { setsFromCsv } from './csv-file.ts';
import { setsFromJson } from './json-file.ts';
import { readSetFile } from './use-set-import.ts';

const known = { technologies: [{ id: '1', name: 'Node.js', slug: 'node-js' }], sets: [] };
const csv = async (...lines: string[]) => checkSets('interview', await setsFromCsv(lines.join('\n')), known);
const head = 'title,technology,tags,question,expert answer';

test('rows with the same title and technology are one set; with a set number, the rest can be blank', async () => {
  const { sets, errors } = await csv(
    head,
    'Basics,node-js,"a, b",What is a stream?,Data over time.',
    'Other,Node.js,,Why?,',
    'Basics,NODE-JS,"a,b",What is a buffer?,',
  );
  expect(errors).toEqual([]);
  expect(sets.map(({ body }) => [body.title, body.technology, body.questions])).toEqual([
    ['Basics', 'node-js', ['What is a stream?', 'What is a buffer?']],
    ['Other', 'node-js', ['Why?']],
  ]);
  const numbered = await csv(`set,${head}`, '1,Basics,node-js,,What is a stream?,', '1,,,,And a pipe?,');
  expect(numbered.errors).toEqual([]);
  expect(numbered.sets.map(({ body }) => body.questions)).toEqual([['What is a stream?', 'And a pipe?']]);
});

test('each invalid row is listed with its errors', async () => {
  const { errors } = await csv(
    `set,${head}`,
    '1,Basics,node-js,,What is a stream?,',
    '1,,,,,no question',
    '2,,Cobol,,Why?,',
    `3,Long,node-js,,${'x'.repeat(2001)},`,
    '1,Others,,x,Too?,',
  );
  expect(errors).toEqual([
    { place: 'Row 3', message: 'A question cannot be blank' },
    { place: 'Row 4', message: 'Title is required' },
    { place: 'Row 4', message: 'Unknown technology “Cobol”. Add it first.' },
    { place: 'Row 5', message: 'Question must be at most 2,000 characters' },
    { place: 'Row 6', message: 'The title differs from row 2 of the same set' },
    { place: 'Row 6', message: 'The tags differ from row 2 of the same set' },
  ]);
});

test('a blank title is an error in its row, also below a set; errors are in row order', async () => {
  const { errors } = await csv(
    head,
    ',node-js,,What is a stream?,',
    'Basics,node-js,,What is a buffer?,',
    '  ,node-js,,And a pipe?,',
    'Basics,node-js,other,,',
    ',,,And this?,',
  );
  expect(errors).toEqual([
    { place: 'Row 2', message: 'Title is required' },
    { place: 'Row 4', message: 'Title is required' },
    { place: 'Row 5', message: 'The tags differ from row 3 of the same set' },
    { place: 'Row 5', message: 'A question cannot be blank' },
    { place: 'Row 6', message: 'Title is required' },
    { place: 'Row 6', message: 'Technology is required' },
  ]);
  const json = JSON.stringify([{ title: ' ', technology: 'node-js', questions: ['Why?'] }]);
  expect(checkSets('interview', setsFromJson(json), known).errors).toEqual([
    { place: 'Set 1', message: 'Title is required' },
  ]);
});

test('vocabulary and language are read from any row of a set that has them; other values are errors', async () => {
  const columns = 'title,technology,question,vocabulary,language';
  const { sets, errors } = await csv(
    columns,
    'A,node-js,Why?,"libuv, epoll",DE',
    'A,node-js,How?,,',
    'B,node-js,So?,,',
  );
  expect(errors).toEqual([]);
  expect(sets.map(({ body }) => [body.vocabulary, body.language])).toEqual([
    [['libuv', 'epoll'], 'de'],
    [undefined, undefined],
  ]);
  const wrong = await csv(columns, 'A,node-js,Why?,libuv,de', 'A,node-js,How?,epoll,fr', 'B,node-js,So?,,Klingon');
  expect(wrong.errors).toEqual([
    { place: 'Row 3', message: 'The vocabulary differs from row 2 of the same set' },
    { place: 'Row 3', message: 'The language differs from row 2 of the same set' },
    { place: 'Row 4', message: 'This language is not known' },
  ]);
});

test('follow-ups are yes or no, and unchanged if the file does not specify them', async () => {
  const columns = 'title,technology,question,follow-ups';
  const { sets, errors } = await csv(
    columns,
    'A,node-js,Why?,Yes',
    'A,node-js,How?,',
    'B,node-js,So?,no',
    'C,node-js,So?,',
  );
  expect(errors).toEqual([]);
  expect(sets.map(({ body }) => ('asksFollowUps' in body ? body.asksFollowUps : 'as it was'))).toEqual([
    true,
    false,
    'as it was',
  ]);
  const wrong = await csv(columns, 'A,node-js,Why?,yes', 'A,node-js,How?,no', 'B,node-js,So?,maybe');
  expect(wrong.errors).toEqual([
    { place: 'Row 3', message: 'The column follow-ups differs from row 2 of the same set' },
    { place: 'Row 4', message: 'The column follow-ups must be yes or no' },
  ]);
});

test('times are read from any row of a set that has them; other values are errors', async () => {
  const columns = 'title,technology,question,Thinking Time,timeLimitSeconds,Suggested Length';
  const { sets, errors } = await csv(columns, 'A,node-js,Why?,30,,120', 'A,node-js,How?,,,', 'B,node-js,So?,,,');
  expect(errors).toEqual([]);
  expect(sets.map(({ body }) => body)).toMatchObject([{ thinkingSeconds: 30, lengthHintSeconds: 120 }, {}]);
  expect(sets[0]?.body).not.toHaveProperty('timeLimitSeconds');
  const wrong = await csv(columns, 'A,node-js,Why?,30,,', 'A,node-js,How?,60,,', 'B,node-js,So?,,soon,');
  expect(wrong.errors).toEqual([
    { place: 'Row 3', message: 'The thinkingSeconds differs from row 2 of the same set' },
    { place: 'Row 4', message: 'The time limit must be a whole number of seconds from 15 to 1,800' },
  ]);
});

test('a practice row without an answer is an error', async () => {
  const read = await setsFromCsv('title,technology,question,answer\nBasics,node-js,Why?,\n');
  expect(checkSets('practice', read, known).errors).toEqual([{ place: 'Row 2', message: 'An answer cannot be blank' }]);
});

test('a cell beyond the last column is an error in its row and column', async () => {
  const { errors } = await csv(head, 'Basics,node-js,,Why, then?,Because.', 'Basics,node-js,,How?,So.,,');
  expect(errors).toEqual([
    {
      place: 'Row 2, column 6',
      message: '“Because.” is beyond the last column. Put text that contains a “,” in quotes.',
    },
  ]);
});

test('points are read from JSON; other cells are errors', async () => {
  const columns = 'title,technology,question,expert answer,points';
  const { sets, errors } = await csv(
    columns,
    'A,node-js,Why?,So.,"[{""text"":""So"",""weight"":2}]"',
    'A,node-js,How?,,',
  );
  expect(errors).toEqual([]);
  expect(sets[0]?.body).toMatchObject({ expertPoints: [[{ text: 'So', weight: 2, optional: false }], []] });
  const wrong = await csv(columns, 'A,node-js,Why?,So.,So', 'A,node-js,How?,So.,"[{""text"":"" ""}]"');
  expect(wrong.errors).toEqual([
    { place: 'Row 2', message: 'The points must be a JSON list, as Export writes it' },
    { place: 'Row 3', message: 'Point is required' },
  ]);
});

test('a missing column is reported by name', async () => {
  expect((await csv('title;question', 'Basics;Why?')).errors).toEqual([
    { place: 'Row 1', message: 'The column “technology” is missing' },
  ]);
});

test.each([
  ['semicolons', 'title;technology;question\nA, b;node-js;Why, then?'],
  ['tabs', 'Title\tTechnology\tQuestion\r\nA, b\tnode-js\tWhy, then?\r\n'],
  ['quotes and a byte order mark', '\uFEFF"title","technology","question"\r\n"A, b","node-js","Why, then?"'],
])('reads %s', async (_what, content) => {
  const { sets, errors } = checkSets('interview', await setsFromCsv(content), known);
  expect(errors).toEqual([]);
  expect(sets.map(({ body }) => [body.title, body.questions])).toEqual([['A, b', ['Why, then?']]]);
});

test('an unclosed quote is an error in its row', async () => {
  expect((await csv(head, 'Basics,node-js,,"Why?,')).errors[0]).toMatchObject({ place: 'Row 2' });
});

test('JSON errors name set and question; the API’s own response can be imported', () => {
  const check = (content: unknown) => checkSets('interview', setsFromJson(JSON.stringify(content)), known);
  expect(
    check([{ title: 'A', technology: 'node-js', questions: ['Why?', { question: ' ' }] }, { title: 5 }]).errors,
  ).toEqual([
    { place: 'Set 1, question 2', message: 'A question cannot be blank' },
    { place: 'Set 2, title', message: 'must be text' },
    { place: 'Set 2, technology', message: 'must be text' },
    { place: 'Set 2, questions', message: 'must be a list' },
  ]);
  const answer = {
    title: 'A',
    technology: 'Gone',
    technologySlug: 'node-js',
    questions: ['Why?'],
    expertAnswers: ['So.'],
  };
  expect(check({ interviewSets: [answer] }).sets.map(({ body }) => body)).toEqual([
    { title: 'A', technology: 'node-js', tags: [], questions: ['Why?'], expertAnswers: ['So.'] },
  ]);
  expect(check({}).errors).toEqual([{ place: 'File', message: 'This JSON contains no list of sets' }]);
  expect(setsFromJson('{').errors[0]?.message).toMatch(/^The JSON cannot be read: /);
});

test('an empty file has no sets; a file that is not text is rejected', async () => {
  expect((await csv(head, '', ' , ')).errors).toEqual([{ place: 'File', message: 'This file contains no sets' }]);
  const latin = new File([new Uint8Array([0x74, 0xe9, 0x2c])], 'sets.csv');
  expect((await readSetFile(latin)).errors[0]?.message).toMatch(/not UTF-8/);
});

test('an existing set can be replaced; sets with the same title are paired in order', async () => {
  const sets = [
    setOf(1, { title: 'basics', technologySlug: 'node-js' }),
    setOf(2, { title: 'Basics', technologySlug: 'react' }),
    setOf(3, { title: 'Basics ', technologySlug: 'node-js' }),
  ];
  const read = await setsFromCsv(
    'set,title,technology,question\n1,Basics,node-js,Why?\n2,New,node-js,Why?\n3,BASICS,node-js,How?\n4,Basics,node-js,So?',
  );
  expect(checkSets('interview', read, { ...known, sets }).sets.map(({ replaces }) => replaces)).toEqual([
    sets[0]?._id,
    undefined,
    sets[2]?._id,
    undefined,
  ]);
});

test('a field that the file leaves blank keeps its value', async () => {
  const saved = setOf(1, {
    title: 'Basics',
    technologySlug: 'node-js',
    questions: ['Why?', 'Gone?'],
    expertAnswers: ['So.', 'Yes.'],
    tags: ['kept'],
  });
  const read = await setsFromCsv('title,technology,question\nBasics,node-js,New?\nBasics,node-js,Why?');
  const [checked] = checkSets('interview', read, { ...known, sets: [saved] }).sets;
  expect(checked?.body).toEqual({
    title: 'Basics',
    technology: 'node-js',
    tags: ['kept'],
    questions: ['New?', 'Why?'],
    expertAnswers: ['', 'So.'],
  });
  expect(checked?.changes).toBe('1 question added, 1 question removed');
  const other = await setsFromCsv('title,technology,tags,question,answer\nPractice 1,node-js,new,Why?,Because.');
  const practice = practiceSetOf(1, { technologySlug: 'node-js' });
  expect(checkSets('practice', other, { ...known, sets: [practice] }).sets[0]).toMatchObject({
    replaces: practice._id,
    body: { tags: ['new'], answers: ['Because.'] },
  });
});
