import { describe, expect, it } from 'vitest';
import type { HeardWord } from '../../src/engines/whisper/clean-words.ts';
import { findHoles } from '../../src/engines/whisper/find-holes.ts';
import { fillHole, inOrder, joinWords } from '../../src/engines/whisper/join-words.ts';
import { windowWords } from '../../src/engines/whisper/window-words.ts';

const wordMs = 500;
/** Words of half a second each, starting at a time. */
const say = (text: string, fromMs = 0): HeardWord[] =>
  text.split(' ').map((word, at) => ({
    word,
    startMs: fromMs + at * wordMs,
    endMs: fromMs + (at + 1) * wordMs,
    confidence: null,
    glued: false,
  }));
const textOf = (words: readonly HeardWord[]) => words.map(({ word }) => word).join(' ');

describe('the words of overlapping windows', () => {
  const before = say('use a connection pool to reuse open conn');
  const overlap = { fromMs: 2000, toMs: 4000 };

  it('are joined where both agree, without duplicated or cut-off words', () => {
    const after = say('two reuse open connections instead', 2100);
    expect(textOf(joinWords(before, after, overlap))).toBe('use a connection pool to reuse open connections instead');
  });

  it('are cut in the middle if they have nothing in common', () => {
    const after = say('something else entirely here', 2000);
    expect(textOf(joinWords(before, after, overlap))).toBe('use a connection pool to reuse entirely here');
  });

  it('are not matched to the same words much later', () => {
    const joined = joinWords(say('the pool and the'), say('the pool grows', 6000), { fromMs: 2000, toMs: 2000 });
    expect(textOf(joined)).toBe('the pool and the the pool grows');
  });
});

it('never start after the next word', () => {
  const starts = (words: readonly HeardWord[]) => words.map(({ startMs }) => startMs);
  expect(starts(inOrder([...say('a b', 1000), ...say('c d', 1300)]))).toEqual([1000, 1300, 1300, 1800]);
});

describe('gaps in the transcript', () => {
  const speech = [{ fromMs: 0, toMs: 10_000 }];
  const pieces = speech;

  it('are speech of more than two seconds without a word, also under a stretched word', () => {
    const words = [...say('one two three'), ...say('nine ten eleven', 8000)];
    expect(findHoles(pieces, speech, words)).toEqual([{ fromMs: 1500, toMs: 8000 }]);
    const stretched = words.map((word) => (word.word === 'three' ? { ...word, endMs: 8000 } : word));
    expect(findHoles(pieces, speech, stretched)).toEqual([{ fromMs: 2000, toMs: 8000 }]);
    expect(findHoles(pieces, speech, [])).toEqual([{ fromMs: 240, toMs: 9760 }]);
    expect(findHoles(pieces, speech, say(Array(20).fill('word').join(' ')))).toEqual([]);
  });

  it('do not include silence', () => {
    const apart = [
      { fromMs: 0, toMs: 2000 },
      { fromMs: 8000, toMs: 10_000 },
    ];
    expect(findHoles(pieces, apart, [...say('one two three'), ...say('nine ten eleven', 8300)])).toEqual([]);
  });

  it('are filled with the result of another attempt', () => {
    const hole = { fromMs: 1500, toMs: 4000 };
    const words = [...say('one two three'), ...say('nine ten', 4000)];
    const found = say('three four five six seven eight nine', 1000);
    const filled = fillHole(words, hole, { fromMs: 1000, toMs: 4500 }, found);
    expect(textOf(filled)).toBe('one two three four five six seven eight nine ten');
  });

  it('caused by wrong times are filled with the right ones, without duplicating words', () => {
    const words = say('one two three four five six seven');
    const found = say('three four five six seven', 6000);
    const filled = fillHole(words, { fromMs: 3500, toMs: 9000 }, { fromMs: 3000, toMs: 9500 }, found);
    expect(filled.map(({ word, startMs }) => `${word} ${startMs}`)).toEqual([
      'one 0',
      'two 500',
      'three 6000',
      'four 6500',
      'five 7000',
      'six 7500',
      'seven 8000',
    ]);
  });
});

describe('times beyond the end of a window', () => {
  it('are spread over the rest of it', () => {
    const words = ['start', 'these', 'words', 'come', 'last'].map((text, at) => {
      return { text, startMs: at * 7000, endMs: at * 7000 + 6000 };
    });
    const heard = windowWords({ pieces: [{ fromMs: 50_000, toMs: 58_000 }] }, { text: '', words });
    expect(heard.map(({ startMs }) => startMs)).toEqual([50_000, 50_600, 51_200, 51_800, 52_280]);
  });
});
