import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expertAnswerMissing, expertAnswerText } from '../src/catalog/expert-sentence.ts';

const plain = fc.string({ unit: 'grapheme', maxLength: 80 }).filter((text) => !/answer|processing failed/i.test(text));
const lead = fc.constantFrom(
  'my answer would be:',
  'My answer would be :',
  'MY  ANSWER WOULD BE:',
  'Answer:',
  'answer :',
);

describe('expertAnswerText', () => {
  test('shows only what follows the phrase', () => {
    fc.assert(
      fc.property(plain, lead, plain, (before, phrase, answer) => {
        expect(expertAnswerText(`${before} ${phrase}${answer}`)).toBe(answer.trim() || expertAnswerMissing);
      }),
    );
  });

  test('shows the whole text if the phrase does not occur', () => {
    fc.assert(
      fc.property(plain, (text) => {
        expect(expertAnswerText(text)).toBe(text.trim() || expertAnswerMissing);
      }),
    );
  });

  test('is not available if processing failed', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('processing failed', 'Processing Failed'),
        fc.string(),
        (a, failed, b) => {
          expect(expertAnswerText(a + failed + b)).toBe('Expert Answer Is Not Available');
        },
      ),
    );
  });

  test('never returns an empty text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(expertAnswerText(text)).not.toBe('');
      }),
    );
  });

  test.each([
    ['If I were asked, my answer would be: A closure keeps its scope.', 'A closure keeps its scope.'],
    ['Question: what?\nAnswer: A closure: a function and its scope.', 'A closure: a function and its scope.'],
    ['An unanswered promise is pending', 'An unanswered promise is pending'],
    ['Answer:', expertAnswerMissing],
    ['', expertAnswerMissing],
    [null, expertAnswerMissing],
    [undefined, expertAnswerMissing],
  ])('%j', (response, shown) => {
    expect(expertAnswerText(response)).toBe(shown);
  });
});
