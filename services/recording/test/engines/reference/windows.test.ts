import { describe, expect, it } from 'vitest';
import { clauseRunsOf, windowsOf } from '../../../src/engines/reference/windows.ts';

const textsOf = (text: string) => windowsOf(text.split(' '), []).map((window) => window.text);
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);

describe('windows of an answer', () => {
  it('are sentences, and the widest runs of up to three', () => {
    expect(textsOf('One two three four. Five six seven eight! Nine ten eleven twelve? And some more words.')).toEqual([
      'One two three four.',
      'One two three four. Five six seven eight! Nine ten eleven twelve?',
      'Five six seven eight!',
      'Five six seven eight! Nine ten eleven twelve? And some more words.',
      'Nine ten eleven twelve?',
      'And some more words.',
    ]);
  });

  it('have at most 60 words, and no fragments by themselves', () => {
    expect(textsOf('Yes. It runs in linear time.')).toEqual([
      'Yes. It runs in linear time.',
      'It runs in linear time.',
    ]);
    expect(textsOf('Yes.')).toEqual(['Yes.']);
    const long = numbered(100).map((word, at) => ((at + 1) % 22 === 0 ? `${word}.` : word));
    expect(windowsOf(long, []).map(({ firstWord, lastWord }) => [firstWord, lastWord])).toContainEqual([22, 65]);
    const lengths = windowsOf(numbered(400), []).map(({ firstWord, lastWord }) => lastWord - firstWord + 1);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(60);
  });

  it('are cut every 14 words if there is no punctuation', () => {
    expect(windowsOf(numbered(40), []).map(({ firstWord, lastWord }) => [firstWord, lastWord])).toEqual([
      [0, 13],
      [0, 39],
      [14, 27],
      [28, 39],
    ]);
  });

  it('are cut at the longest pause instead, if the words have times', () => {
    const words = numbered(30);
    const times = words.map((word, at) => {
      const startMs = at * 300 + (at >= 9 ? 900 : 0) + (at >= 18 ? 600 : 0);
      return { word, startMs, endMs: startMs + 250, confidence: null };
    });
    const single = windowsOf(words, times).filter(({ sentences }) => sentences === 1);
    expect(single.map(({ firstWord, lastWord }) => [firstWord, lastWord])).toEqual([
      [0, 8],
      [9, 29],
    ]);
  });

  it('leave out what is addressed to the judge, and do not span it', () => {
    const words = ['A', 'stack', 'is', 'a', 'list', '.', '.', 'It', 'grows', 'at', 'one', 'end.'];
    expect(windowsOf(words, []).map(({ text }) => text)).toEqual([
      'A stack is a list',
      'A stack is a list It grows at one end.',
      'It grows at one end.',
    ]);
  });

  it('occur once, however often something is said', () => {
    expect(textsOf('It is a list of things. It is a list of things.')).toEqual([
      'It is a list of things.',
      'It is a list of things. It is a list of things.',
    ]);
    expect(windowsOf([], [])).toEqual([]);
  });
});

describe('runs of clauses', () => {
  it('are shorter than the window, have five words or more, and come shortest first', () => {
    const words = 'Well, a hash map finds a value in constant time, because the key says where it lies'.split(' ');
    const [window] = windowsOf(words, []);
    const runs = clauseRunsOf(words, window!).map(({ text }) => text);
    expect(runs[0]).toBe('because the key says where it lies');
    expect(runs).toContain('a hash map finds a value in constant time,');
    expect(runs).not.toContain(words.join(' '));
    expect(runs.every((run) => run.split(' ').length >= 5)).toBe(true);
  });
});
