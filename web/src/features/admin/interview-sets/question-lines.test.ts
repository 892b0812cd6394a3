import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answered, noQuestionLines, type QuestionLines, questionsOf, retyped } from './question-lines.ts';

const lines = (text: string, ...answers: string[]): QuestionLines =>
  answers.reduce((all, answer, line) => answered(all, line, { answer }), retyped(noQuestionLines, text));
const pairs = (all: QuestionLines) => questionsOf(all).map(({ question, answer }) => [question, answer]);

test('numbers are stripped, and blank lines dropped', () => {
  expect(pairs(lines('1. What is a hook?\n\n  2) Why keys?  ', 'a hook', '', 'identity'))).toEqual([
    ['What is a hook?', 'a hook'],
    ['Why keys?', 'identity'],
  ]);
});

const previous = lines('One?\nTwo?\nThree?', '1', '2', '3');

test.each<[string, string, string[][]]>([
  [
    'reworded',
    'One?\nTwo, really?\nThree?',
    [
      ['One?', '1'],
      ['Two, really?', '2'],
      ['Three?', '3'],
    ],
  ],
  [
    'a line between',
    'One?\nNew?\nTwo?\nThree?',
    [
      ['One?', '1'],
      ['New?', ''],
      ['Two?', '2'],
      ['Three?', '3'],
    ],
  ],
  [
    'a line taken out',
    'One?\nThree?',
    [
      ['One?', '1'],
      ['Three?', '3'],
    ],
  ],
  [
    'put in another order',
    'Three?\nOne?\nTwo?',
    [
      ['Three?', '3'],
      ['One?', '1'],
      ['Two?', '2'],
    ],
  ],
  [
    'a number put before it',
    'One?\n2. Two?\nThree?',
    [
      ['One?', '1'],
      ['Two?', '2'],
      ['Three?', '3'],
    ],
  ],
  [
    'the first moved and the last reworded',
    'Two?\nOne?\nThree or four?',
    [
      ['Two?', '2'],
      ['One?', '1'],
      ['Three or four?', '3'],
    ],
  ],
  [
    'split in two',
    'One?\nTwo?\nThr\nee?',
    [
      ['One?', '1'],
      ['Two?', '2'],
      ['Thr', '3'],
      ['ee?', ''],
    ],
  ],
  [
    'joined',
    'One? Two?\nThree?',
    [
      ['One? Two?', '1'],
      ['Three?', '3'],
    ],
  ],
  [
    'all replaced by as many others',
    'Red apple\nBlue sky\nGreen',
    [
      ['Red apple', ''],
      ['Blue sky', ''],
      ['Green', ''],
    ],
  ],
  ['all gone', '', []],
])('answers follow their questions: %s', (_what, text, expected) => {
  expect(pairs(retyped(previous, text))).toEqual(expected);
});

test('a line that is cleared and typed again keeps its answer', () => {
  expect(pairs(retyped(retyped(previous, 'One?\n\nThree?'), 'One?\nTwo again?\nThree?'))).toEqual([
    ['One?', '1'],
    ['Two again?', '2'],
    ['Three?', '3'],
  ]);
});

test('answers follow lines that are cleared and typed again in another order', () => {
  let all = retyped(previous, '');
  const again = 'New?\nThree?\nTwo?';
  for (let end = 1; end <= again.length; end += 1) all = retyped(all, again.slice(0, end));
  expect(pairs(all)).toEqual([
    ['New?', ''],
    ['Three?', '3'],
    ['Two?', '2'],
  ]);
});

test('a line that was cut gets its answer back when it is pasted elsewhere', () => {
  expect(pairs(retyped(retyped(previous, 'Two?\nThree?'), 'Two?\nThree?\nOne?'))).toEqual([
    ['Two?', '2'],
    ['Three?', '3'],
    ['One?', '1'],
  ]);
});

test('for any edits, each line has one answer, and unchanged lines keep theirs', () => {
  const line = fc.constantFrom('', 'A?', 'B?', '1. C?', 'constructor', '__proto__');
  const text = fc.array(line, { maxLength: 6 }).map((all) => all.join('\n'));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (texts) => {
      let all = noQuestionLines;
      for (const each of texts) {
        all = retyped(all, each);
        expect(all.answers).toHaveLength(each.split('\n').length);
        for (const [index, { answer }] of all.answers.entries()) {
          if (answer === '') all = answered(all, index, { answer: `answer ${index} of ${each}` });
        }
        expect(retyped(all, each)).toEqual(all);
      }
    }),
  );
});
