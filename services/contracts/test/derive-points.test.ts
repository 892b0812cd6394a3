import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derivePoints } from '../src/derive-points.ts';
import { ExpertPoint, expertPointsMax } from '../src/expert-points.ts';

const textsOf = (expertAnswer: string) => derivePoints(expertAnswer).map(({ text }) => text);

/** Texts whose sentences are given as parts: joined by a space, they must come apart at the same places. */
const sentences: Record<string, string[]> = {
  'e.g.': ['A cache keeps hot data, e.g. Redis keeps it in memory.', 'It expires old entries.'],
  'i.e.': ['It is idempotent, i.e. Repeating it changes nothing.', 'POST is not.'],
  'i. e. in two parts': ['It is idempotent, i. e. Repeating it changes nothing.', 'POST is not.'],
  'etc. within a sentence': ['Lists, maps, etc. are passed by reference.', 'Numbers are not.'],
  'etc. at an end': ['It stores lists, maps, sets, etc.', 'Redis writes them to disk as well.'],
  'etc. in brackets': ['Stores (Redis, Memcached, etc.) keep data in memory.', 'They are fast.'],
  'vs.': ['The question is SQL vs. NoSQL for this data.', 'Both can work.'],
  'a.k.a.': ['A closure, a.k.a. Lexical scope in an object, keeps its variables.', 'It lives on.'],
  'U.S.': ['The U.S. region is the default.', 'Others are slower.'],
  'big O': ['Lookup takes O(1).', 'Insertion takes O(log n).', 'Iteration takes O(n).'],
  'Node.js within a sentence': ['Node.js runs JavaScript on one thread.', 'Its event loop takes turns.'],
  'Node.js at an end': ['The server runs on Node.js.', 'It is single-threaded.'],
  '.NET': ['C# runs on .NET.', '.NET compiles to an intermediate language.'],
  decimals: ['The load factor is 0.75 by default.', 'At 0.75 the map grows.'],
  versions: ['HTTP 1.1 keeps connections alive.', 'Version 2.0 multiplexes them, and v3.11.2 is current.'],
  'No. before a number': ['See No. 5 of the list.', 'It is short.'],
  'No. as an answer': ['Is it safe?', 'No. It races.'],
  'max. before a number': ['Use max. 10 connections.', 'More wait.'],
  'max at an end': ['The heap keeps the max.', 'The root holds it.'],
  'an initial in a name': ['Edgar F. Codd described the relational model.', 'It came in 1970.'],
  'C at an end': ['The kernel is written in C.', 'Drivers are as well.'],
  'C with a name before it': ['We wrote it in Objective C.', 'It worked.'],
  'inline code': ['Call `a.then(b). catch(c)` to handle errors.', 'Await works too.'],
  'a sentence that begins with a name in lower case': [
    'npm installs what package.json names.',
    'node_modules keeps it.',
    'useEffect runs after the render.',
  ],
  brackets: ['TCP (see RFC 793. It is old.) orders its segments.', 'UDP does not.'],
  quotes: ['It is called “eventual consistency.”', 'Reads may be stale.'],
  'a title': ['The idea is due to Dr. Liskov.', 'It is about subtypes.'],
  ellipsis: ['It waits ... for the lock.', 'Then it writes.'],
};

describe('derivePoints', () => {
  test.each(Object.entries(sentences))('finds the sentences around %s', (_name, parts) => {
    expect(textsOf(parts.join(' '))).toEqual(parts);
  });

  test('makes points of the longer clauses of a sentence, and keeps short ones together', () => {
    expect(
      textsOf('TCP numbers every segment that it sends to its peer, and the receiver puts them back in order.'),
    ).toEqual(['TCP numbers every segment that it sends to its peer', 'and the receiver puts them back in order.']);
    expect(textsOf('It is fast, and it is small.')).toEqual(['It is fast, and it is small.']);
  });

  test('splits no clause within brackets or code', () => {
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
  ])('makes a point of each item of a list: %s', (_name, text) => {
    expect(textsOf(text)).toEqual(['It is fast.', 'It is cheap', 'It scales']);
  });

  test('keeps what is said before a list where it says something', () => {
    expect(textsOf('React keeps a virtual copy of the page, with two benefits for us:\n- speed\n- tests')).toEqual([
      'React keeps a virtual copy of the page, with two benefits for us:',
      'speed',
      'tests',
    ]);
  });

  test('takes a number within a sentence for no list', () => {
    expect(textsOf('The retry waits for 10. Then it gives up.')).toEqual([
      'The retry waits for 10.',
      'Then it gives up.',
    ]);
  });

  test('joins lines that were wrapped', () => {
    expect(
      textsOf(
        'A closure is a function together with the variables\nof the scope in which it was created.\nIt keeps them.',
      ),
    ).toEqual([
      'A closure is a function together with the variables of the scope in which it was created.',
      'It keeps them.',
    ]);
  });

  test('makes no points of blocks of code beside prose', () => {
    const prose = ['Declare it with const.', 'Its scope is the block.'];
    const code = 'const count = 1;\nif (count > 0) {\n  run(count);\n}';
    expect(textsOf(`${prose[0]}\n\`\`\`js\n${code}\n\`\`\`\n${prose[1]}`)).toEqual(prose);
    expect(textsOf(`${prose[0]}\n${code}\n${prose[1]}`)).toEqual(prose);
  });

  test('makes one point of an answer that is nothing but code', () => {
    expect(textsOf('```sql\nSELECT count(*)\nFROM users\n```')).toEqual(['SELECT count(*) FROM users']);
  });

  test('leaves out what announces the answer', () => {
    expect(textsOf('My answer would be: It is a queue.')).toEqual(['It is a queue.']);
  });

  test.each(['', '   \n ', '...', '- \n- '])('finds no point in %j', (text) => {
    expect(derivePoints(text)).toEqual([]);
  });

  test('gives each point the defaults', () => {
    expect(derivePoints('It is a queue.')).toEqual([
      { text: 'It is a queue.', weight: 1, acceptedWordings: [], optional: false },
    ]);
  });

  test('makes points that an interview set accepts, whatever the text', () => {
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

  test('leaves out no word of prose', () => {
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
