import { describe, expect, it } from 'vitest';
import { spokenWords, timedNeighbour, wordIndexAt } from './spoken-words.ts';

const timed = (...words: string[]) =>
  words.map((word, index) => ({ word, startMs: index * 1000, endMs: index * 1000 + 800, confidence: null }));

describe('spokenWords', () => {
  it('matches timed words to the text, ignoring punctuation and case', () => {
    expect(
      spokenWords('Well, a closure — it remembers.', timed('well', 'a', 'closure', 'it', 'remembers')),
    ).toMatchObject([
      { text: 'Well,', startMs: 0, endMs: 800 },
      { text: 'a', startMs: 1000, endMs: 1800 },
      { text: 'closure', startMs: 2000, endMs: 2800 },
      { text: '—', startMs: null, endMs: null },
      { text: 'it', startMs: 3000, endMs: 3800 },
      { text: 'remembers.', startMs: 4000, endMs: 4800 },
    ]);
  });

  it('resynchronizes after text and words differ', () => {
    const words = spokenWords('one 2 three four', timed('one', 'two', 'three', 'um', 'four'));
    expect(words.map(({ startMs }) => startMs)).toEqual([0, null, 2000, 4000]);
  });

  it('shows the text without times when there are no timed words', () => {
    expect(spokenWords('just text', [])).toMatchObject([
      { text: 'just', startMs: null, endMs: null },
      { text: 'text', startMs: null, endMs: null },
    ]);
    expect(spokenWords('', timed('ghost'))).toEqual([]);
  });
});

it('marks words transcribed with low confidence, if the engine reports it', () => {
  const words = [0.39, 0.4, null].map((confidence) => ({ word: 'well', startMs: 0, endMs: 1, confidence }));
  expect(spokenWords('well well well unheard', words).map(({ uncertain }) => uncertain)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

describe('wordIndexAt', () => {
  const words = spokenWords('one — two three', timed('one', 'two', 'three'));

  it.each([
    [0, 0],
    [999, 0],
    [1000, 2],
    [9000, 3],
  ])('at %i ms is word %i', (atMs, index) => {
    expect(wordIndexAt(words, atMs)).toBe(index);
  });

  it('is undefined before the first word', () => {
    expect(wordIndexAt(spokenWords('late', [{ word: 'late', startMs: 500, endMs: 700, confidence: 1 }]), 499)).toBe(-1);
  });
});

describe('timedNeighbour', () => {
  const words = spokenWords('one — two', timed('one', 'two'));

  it('skips words without a time and stops at the ends', () => {
    expect(timedNeighbour(words, -1, 1)).toBe(0);
    expect(timedNeighbour(words, 0, 1)).toBe(2);
    expect(timedNeighbour(words, 2, -1)).toBe(0);
    expect(timedNeighbour(words, 2, 1)).toBe(2);
  });
});
