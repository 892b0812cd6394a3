import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdit, type TypingStep } from '../../../components/typing/typing-step.ts';
import { keyBeside, practiceSteps, practiceTyping, type RandomSource } from './practice-typing.ts';

/** A seeded 32-bit generator, 'mulberry32'. */
function seeded(seed: number): RandomSource {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const never: RandomSource = () => 0.999;
const typed = (steps: Iterable<TypingStep>): string => [...steps].reduce((text, { edit }) => applyEdit(text, edit), '');
const waits = (steps: Iterable<TypingStep>): number[] => [...steps].map(({ waitMs }) => waitMs);

/** Enough words of five or more letters to test probabilities. */
const longAnswer = Array.from({ length: 4000 }, (_, index) => (index % 2 ? 'closure' : 'returns')).join(' ');

const answers = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(fc.constantFrom('hooks', 'closure', 'a', '`const`', 'naïve', '🎙️', '\n', 'Größe', '==='), { maxLength: 60 })
    .map((words) => words.join(' ')),
);

test('whatever is typed on the way, the whole answer is there in the end', () => {
  fc.assert(
    fc.property(answers, fc.integer(), (answer, seed) => {
      expect(typed(practiceSteps(answer, seeded(seed), true))).toBe(answer);
    }),
  );
});

test('at every step the text differs from the answer only in letters: same length, words in place', () => {
  fc.assert(
    fc.property(answers, fc.integer(), (answer, seed) => {
      let text = '';
      for (const { edit, waitMs } of practiceSteps(answer, seeded(seed), true)) {
        text = applyEdit(text, edit);
        const due = answer.slice(0, text.length);
        expect(waitMs).toBeGreaterThanOrEqual(practiceTyping.characterMs);
        expect(text.replace(/[a-z]/gi, 'x')).toBe(due.replace(/[a-z]/gi, 'x'));
      }
    }),
  );
});

test('the same source gives the same steps', () => {
  expect([...practiceSteps('closures keep their scope', seeded(7), true)]).toEqual([
    ...practiceSteps('closures keep their scope', seeded(7), true),
  ]);
});

test('it starts after 0.8 s and takes 50 ms per character and 200 ms after each word', () => {
  expect(waits(practiceSteps('ab cd', never, true))).toEqual([850, 50, 250, 50, 50]);
  expect(waits(practiceSteps('ab', never, true))).toEqual([850, 50]);
  expect([...practiceSteps('', never, true)]).toEqual([]);
});

test('about one word in five is followed by a short pause', () => {
  const spaces = [...practiceSteps(longAnswer, seeded(1), true)].filter(({ waitMs }) => waitMs > 250);
  const paused = spaces.filter(({ waitMs }) => waitMs < 850).length / 4000;
  expect(paused).toBeGreaterThan(0.17);
  expect(paused).toBeLessThan(0.23);
});

test('about three in ten longer words have a typo, each corrected some words later', () => {
  const corrections = [...practiceSteps(longAnswer, seeded(2), true)].filter(({ edit }) => edit.type === 'replace');
  expect(corrections.length / 4000).toBeGreaterThan(0.27);
  expect(corrections.length / 4000).toBeLessThan(0.33);

  let text = '';
  let later = 0;
  for (const { edit } of practiceSteps(longAnswer, seeded(2), true)) {
    if (edit.type === 'replace') {
      const wordsSince = text.slice(edit.at).split(' ').length - 1;
      expect(wordsSince).toBeLessThanOrEqual(4);
      if (wordsSince > 0) later += 1;
    }
    text = applyEdit(text, edit);
  }
  expect(later).toBeGreaterThan(corrections.length * 0.9);
});

test.each(['four', 'a bc def', '`const value`', '12345 67890'])(
  'short words, code and numbers have no typos: %s',
  (answer) => {
    const always: RandomSource = () => 0;
    expect([...practiceSteps(answer, always, true)].every(({ edit }) => edit.type === 'append')).toBe(true);
  },
);

test.each([
  ['s', 0, 'a'],
  ['s', 0.9, 'd'],
  ['Q', 0, 'W'],
  ['m', 0.9, 'n'],
  ['1', 0, null],
  ['é', 0, null],
  ['\u212a', 0, null],
  ['', 0, null],
])('next to %s (%d) is %s', (letter, random, key) => {
  expect(keyBeside(letter, random)).toBe(key);
});
