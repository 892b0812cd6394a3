import { expect, test } from 'vitest';
import { expertSentence } from '../src/catalog/expert-sentence.ts';
import { shownVerdict } from '../src/recording/shown-verdict.ts';

test.each([
  [true, 100, 'correct'],
  [true, 60, 'correct'],
  [true, 59, 'partly'],
  [false, 30, 'partly'],
  [false, 29, 'incorrect'],
  [true, null, 'correct'],
  [false, null, 'incorrect'],
  [null, null, null],
] as const)('isCorrect %s with %s %% is shown as %s', (isCorrect, correctnessPercentage, shown) => {
  expect(shownVerdict({ isCorrect, correctnessPercentage })).toBe(shown);
});

test('a clause is interpreted within its whole sentence', () => {
  const answer =
    'A stack is last in, first out. A queue is first in, first out, whereas a deque takes both ends of the line.';
  expect(expertSentence('whereas a deque takes both ends of the line.', answer)).toEqual({
    before: 'A queue is first in, first out, ',
    point: 'whereas a deque takes both ends of the line.',
    after: '',
  });
  expect(expertSentence('A queue is first in, first out', answer).after).toBe(
    ', whereas a deque takes both ends of the line.',
  );
  // A derived point starts with a capital letter.
  expect(expertSentence('Whereas a deque takes both ends of the line.', answer)).toMatchObject({
    before: 'A queue is first in, first out, ',
    point: 'whereas a deque takes both ends of the line.',
  });
  expect(expertSentence('Written by an admin', answer)).toEqual({
    before: '',
    point: 'Written by an admin',
    after: '',
  });
});
