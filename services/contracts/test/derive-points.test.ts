import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derivePoints } from '../src/catalog/derive-points.ts';
import { ExpertPoint, expertPointsMax } from '../src/catalog/expert-points.ts';

const textsOf = (expertAnswer: string) => derivePoints(expertAnswer).map(({ text }) => text);

describe('derivePoints', () => {
  test.each<[name: string, answer: string, points: string[]]>([
    [
      'a pronoun for one thing',
      'A closure is a function with the variables of its scope. It also captures them by reference.',
      ['A closure is a function with the variables of its scope.', 'A closure also captures them by reference.'],
    ],
    [
      'a pronoun for several things',
      'Server Components run only on the server. They cannot have state.',
      ['Server Components run only on the server.', 'Server Components cannot have state.'],
    ],
    [
      'the same subject three times',
      '`satisfies` checks a type. It keeps the narrower one. It fits lookup tables.',
      ['`satisfies` checks a type.', '`satisfies` keeps the narrower one.', '`satisfies` fits lookup tables.'],
    ],
    [
      'a condition with a pronoun',
      'The liveness probe should check only the process. If it checks the database, an outage restarts every Pod.',
      [
        'The liveness probe should check only the process.',
        'If the liveness probe checks the database, an outage restarts every Pod.',
      ],
    ],
    [
      'a word that only adds',
      'A tuple is an immutable sequence. Moreover, lists are ordered.',
      ['A tuple is an immutable sequence.', 'Lists are ordered.'],
    ],
  ])('adds a missing subject: %s', (_name, answer, points) => {
    expect(textsOf(answer)).toEqual(points);
  });

  test.each([
    ['This', 'The body can be read once. This is why you clone the response.'],
    ['Then', 'First I take a snapshot. Then I compare two of them.'],
    ['For example', 'A record can be checked. For example, a route table is one.'],
    ['a pronoun whose subject is not certain', 'To find a match, you left join. It is fast.'],
    ['"it" after several things', 'Worker threads are cheap. It helps with heavy work.'],
    ['"they" after one thing', 'The pool keeps connections open. They are reused by later requests.'],
    ['a remark that is not the subject', 'An example is the longest substring. It works with a window.'],
    ['several things and their verb', 'Clients see only one address. It is kept in a header.'],
    ['a noun in -s that is not a verb', 'Minimum spanning trees and codes are others. It fails for coin change.'],
    ['a possessive', 'An array stores values in one block. Its length is fixed.'],
    ['a sentence without a verb', 'A map finds a key in constant time. Usually without a lock.'],
  ])('joins sentences that cannot stand alone to the one before: %s', (_name, answer) => {
    expect(textsOf(answer)).toEqual([answer]);
  });

  test('joins yes and no to what they answer', () => {
    expect(textsOf('Is the map safe? No. Writers race.')).toEqual(['Is the map safe?', 'No. Writers race.']);
  });

  test('keeps a sentence separate if its pronoun refers to nothing', () => {
    const answer = ['A lock costs little.', 'It is better to hold it briefly.'];
    expect(textsOf(answer.join(' '))).toEqual(answer);
  });

  test.each<[name: string, sentence: string, clauses: string[]]>([
    [
      'with a subject',
      'TCP numbers every segment that it sends to its peer, and the receiver puts all segments back in order.',
      ['TCP numbers every segment that it sends to its peer', 'The receiver puts all segments back in order.'],
    ],
    [
      'with a pronoun',
      '`any` switches off type checking for a value, and it spreads silently through the code that uses it.',
      ['`any` switches off type checking for a value', '`any` spreads silently through the code that uses it.'],
    ],
    [
      'after a semicolon',
      'Optimistic locking compares versions when it saves; pessimistic locking keeps writers out until the very end.',
      [
        'Optimistic locking compares versions when it saves',
        'Pessimistic locking keeps writers out until the very end.',
      ],
    ],
  ])('makes points of clauses that can stand alone: %s', (_name, sentence, clauses) => {
    expect(textsOf(sentence)).toEqual(clauses);
  });

  test.each([
    'It is fast, and it is small.',
    'The server answers with a validator for the body, which enables caching in every browser.',
    'The proxy opens the circuit after ten failures, because a slow service would block every caller.',
    'React renders the transition in the background, and keeps showing the old screen in the foreground.',
    'A left join returns every row of the left table, and fills the right columns with null.',
    'The compiler checks the argument of every call, but that does not help at run time.',
    'The queue redelivers a job that was not finished, so every job of the worker must be idempotent.',
  ])('does not split off a clause that cannot stand alone: %s', (sentence) => {
    expect(textsOf(sentence)).toEqual([sentence]);
  });

  test('does not split within brackets or code', () => {
    const text = 'A loop such as `for (let index = 0; index < 10; index += 1)` declares a variable for each round.';
    expect(textsOf(text)).toEqual([text]);
  });

  test.each([
    ['dashes', 'The benefits are:\n- It is fast.\n- It is cheap\n- It scales'],
    ['asterisks', '## Benefits\n* It is fast.\n* It is cheap\n* It scales'],
    ['bullets', 'Its benefits include:\n\n• It is fast.\n\n• It is cheap\n\n• It scales'],
    ['numbers', 'Benefits:\n1. It is fast.\n2. It is cheap\n3. It scales'],
    ['numbers in brackets', 'Benefits:\r\n(1) It is fast.\r\n(2) It is cheap\r\n(3) It scales'],
    ['letters', 'Benefits:\na) It is fast.\nb) It is cheap\nc) It scales'],
    ['numbers in one line', 'Benefits: 1. It is fast. 2. It is cheap 3. It scales'],
    ['lines without marks', 'It is fast.\nIt is cheap\nIt scales'],
  ])('makes a point of each list item: %s', (_name, text) => {
    expect(textsOf(text)).toEqual(['It is fast.', 'It is cheap', 'It scales']);
  });

  test('keeps the text before a list if it makes a statement', () => {
    expect(textsOf('React keeps a virtual copy of the page, with two benefits for us:\n- speed\n- tests')).toEqual([
      'React keeps a virtual copy of the page, with two benefits for us:',
      'React keeps a virtual copy of the page, with two benefits for us: speed',
      'React keeps a virtual copy of the page, with two benefits for us: tests',
    ]);
    expect(textsOf('The benefits are:\n- speed\n- It scales well.')).toEqual([
      'The benefits are: speed',
      'It scales well.',
    ]);
  });

  test('does not take a number within a sentence for a list', () => {
    expect(textsOf('The retry waits for 10. Callers give up.')).toEqual([
      'The retry waits for 10.',
      'Callers give up.',
    ]);
  });

  test('joins wrapped lines', () => {
    expect(
      textsOf(
        'A closure is a function together with the variables\nof the scope in which it was created.\nVariables stay alive.',
      ),
    ).toEqual([
      'A closure is a function together with the variables of the scope in which it was created.',
      'Variables stay alive.',
    ]);
  });

  test('makes no points of code blocks next to prose', () => {
    const prose = ['Declare it with const.', 'The scope is the block.'];
    const code = 'const count = 1;\nif (count > 0) {\n  run(count);\n}';
    expect(textsOf(`${prose[0]}\n\`\`\`js\n${code}\n\`\`\`\n${prose[1]}`)).toEqual(prose);
    expect(textsOf(`${prose[0]}\n${code}\n${prose[1]}`)).toEqual(prose);
  });

  test('makes one point of an answer that consists only of code', () => {
    expect(textsOf('```sql\nSELECT count(*)\nFROM users\n```')).toEqual(['SELECT count(*) FROM users']);
  });

  test('leaves out an introduction to the answer', () => {
    expect(textsOf('My answer would be: It is a queue.')).toEqual(['It is a queue.']);
  });

  test.each(['', '   \n ', '...', '- \n- '])('finds no point in %j', (text) => {
    expect(derivePoints(text)).toEqual([]);
  });

  test('gives each point the default values', () => {
    expect(derivePoints('It is a queue.')).toEqual([
      { text: 'It is a queue.', weight: 1, acceptedWordings: [], optional: false },
    ]);
  });

  test('makes points that an interview set accepts, for any text', () => {
    const pieces = fc.constantFrom(
      'word',
      'e.g.',
      'O(1).',
      '\n- ',
      '`',
      '(',
      ')',
      '. ',
      ', and ',
      '; ',
      '1. ',
      '```\n',
      'x'.repeat(1500),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme' })), { maxLength: 200 }), (parts) => {
        const points = derivePoints(parts.join(' '));
        expect(points.length).toBeLessThanOrEqual(expertPointsMax);
        for (const point of points) expect(ExpertPoint.parse(point)).toEqual(point);
      }),
    );
  });

  test('keeps every word of prose', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/);
    const sentence = fc.array(fc.tuple(word, fc.constantFrom(' ', ', and ', '; ', ' (e.g. it) ')), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 8 }), (parts) => {
        const text = parts.map((words) => `It ${words.flat().join('')} ends.`).join(' ');
        const wordsOf = (prose: string) => prose.match(/[a-z]+/gi) ?? [];
        expect(wordsOf(textsOf(text).join(' '))).toEqual(wordsOf(text));
      }),
    );
  });
});
