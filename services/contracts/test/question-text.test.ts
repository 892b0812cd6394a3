import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuestions, parseTags, withoutQuestionPrefix } from '../src/text/question-text.ts';

/** A line with visible text that does not start with a list number. */
const plainLine = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .map((text) => text.replace(/[\r\n]/g, ' ').trim())
  .filter((text) => text !== '' && !/^\d/.test(text));
const number = fc.integer({ min: 0, max: 999 });
const newline = fc.constantFrom('\n', '\r\n', '\r');
const blank = fc.constantFrom('', ' ', '\t', '7.', ' 12) ');

describe('parseQuestions', () => {
  test('keeps the lines in order, without numbers and blank lines, for any line endings', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(plainLine, fc.option(number), fc.constantFrom('.', ')', ' .'), fc.array(blank))),
        newline,
        (lines, end) => {
          const typed = lines.flatMap(([line, at, sign, blanks]) => [
            ...blanks,
            at === null ? `  ${line} ` : `${at}${sign} ${line}`,
          ]);
          expect(parseQuestions(typed.join(end))).toEqual(lines.map(([line]) => line));
        },
      ),
    );
  });

  test('returns trimmed lines, none of them blank, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const questions = parseQuestions(text);
        expect(questions).toEqual(questions.map((question) => question.trim()).filter((question) => question !== ''));
      }),
    );
  });

  test.each([
    ['1. What is a closure?\n2. What is hoisting?', ['What is a closure?', 'What is hoisting?']],
    ['1.What?\n\n  \n10) Why?', ['What?', 'Why?']],
    ['2.0 or 3.0: what changed?', ['2.0 or 3.0: what changed?']],
    ['HTTP 2. What for?', ['HTTP 2. What for?']],
    ['1. 🚀 <b>bold</b>', ['🚀 <b>bold</b>']],
    ['1. ما هو الإغلاق؟', ['ما هو الإغلاق؟']],
    ['', []],
  ])('%j', (typed, questions) => {
    expect(parseQuestions(typed)).toEqual(questions);
  });
});

describe('parseTags', () => {
  test('returns trimmed tags in order, without blanks and duplicates', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (typed) => {
        const tags = parseTags(typed.join(','));
        const expected = typed.flatMap((part) => part.split(',')).map((tag) => tag.trim());
        expect(tags).toEqual(expected.filter((tag, index) => tag !== '' && expected.indexOf(tag) === index));
      }),
    );
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(parseTags(parseTags(typed).join(', '))).toEqual(parseTags(typed));
      }),
    );
  });
});

describe('withoutQuestionPrefix', () => {
  test('strips the prefix and nothing else', () => {
    fc.assert(
      fc.property(plainLine, number, fc.constantFrom('Question', 'question', 'QUESTION'), (line, at, word) => {
        fc.pre(!/^question\s/i.test(line));
        expect(withoutQuestionPrefix(line)).toBe(line);
        expect(withoutQuestionPrefix(`${word} ${at}: ${line}`)).toBe(line);
        expect(withoutQuestionPrefix(`${at}. ${line}`)).toBe(line);
      }),
    );
  });

  test('never returns an empty text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(withoutQuestionPrefix(text) === '').toBe(text.trim() === '');
      }),
    );
  });

  test.each([
    ['Question 3: Why?', 'Why?'],
    ['3. Why?', 'Why?'],
    ['3.1 or 4.0?', '3.1 or 4.0?'],
    ['Question 3:', 'Question 3:'],
    ['Questions 3 people ask', 'Questions 3 people ask'],
  ])('%j', (question, shown) => {
    expect(withoutQuestionPrefix(question)).toBe(shown);
  });
});
