import { describe, expect, it } from 'vitest';
import { cutLoops, dropBracketed, type HeardWord, textOf } from '../../src/engines/whisper/clean-words.ts';
import { recordingMs } from '../../src/engines/whisper/plan-windows.ts';
import { promptMaxTokens, tokensAtMost, whisperPrompt } from '../../src/engines/whisper/whisper-prompt.ts';
import { windowWords } from '../../src/engines/whisper/window-words.ts';
import { readWhisperCliOutput } from '../../src/engines/whisper-cli/whisper-cli-engine.ts';

const wordMs = 300;
const heard = (text: string, eachMs = wordMs): HeardWord[] =>
  text.split(' ').map((word, at) => ({
    word,
    startMs: at * eachMs,
    endMs: (at + 1) * eachMs,
    confidence: null,
    glued: false,
  }));

describe('bracketed text', () => {
  it.each([
    ['[ Silence ]', ''],
    ['[BLANK_AUDIO]', ''],
    ['(upbeat music) A closure keeps its scope.', 'A closure keeps its scope.'],
    ['It is [END PLAYBACK] fast.', 'It is fast.'],
    ['*sighs* I do not know.', 'I do not know.'],
    ['♪ la la la ♪', ''],
    ['It takes O(n) or O(1) time.', 'It takes O(n) or O(1) time.'],
    ['[ one bracket is never closed in all of these words', 'one bracket is never closed in all of these words'],
    ['. . .', ''],
  ])('%j leaves %j', (text, left) => {
    expect(textOf(dropBracketed(heard(text)))).toBe(left);
  });
});

describe('loops', () => {
  it.each([
    ['Thank you. Thank you. Thank you. Thank you. Thank you.', 'Thank you.'],
    ['the the the the the the the stack', 'the stack'],
    ['I think that no no no that is wrong', 'I think that no no no that is wrong'],
    ['again and again and again it runs', 'again and again and again it runs'],
  ])('%j leaves %j', (text, left) => {
    expect(textOf(cutLoops(heard(text)))).toBe(left);
  });

  it('in a long sentence are cut only if nobody could speak that fast', () => {
    const text = Array(5).fill('a closure keeps the variables of its scope').join(' ');
    expect(textOf(cutLoops(heard(text)))).toBe(text);
    expect(textOf(cutLoops(heard(text, 60)))).toBe('a closure keeps the variables of its scope');
  });
});

describe('the words of a window', () => {
  const spans = (...pairs: [number, number][]) => pairs.map(([fromMs, toMs]) => ({ fromMs, toMs }));

  it('have times relative to the recording', () => {
    const window = { pieces: spans([1000, 6000], [60_000, 64_000]) };
    expect([0, 4999, 5000, 7000, 9000, 30_000].map((ms) => recordingMs(window, ms))).toEqual([
      1000, 5999, 60_000, 62_000, 64_000, 64_000,
    ]);
    const result = {
      text: 'one two',
      words: [
        { text: 'one', startMs: 4000, endMs: 4900 },
        { text: 'two', startMs: 5100, endMs: 5600 },
      ],
    };
    expect(windowWords(window, result)).toMatchObject([
      { word: 'one', startMs: 5000, endMs: 5900, glued: false },
      { word: 'two', startMs: 60_100, endMs: 60_600, glued: false },
    ]);
  });

  it('stay together in languages without spaces', () => {
    const window = { pieces: spans([0, 5000]) };
    const words = ['你', '好', '世', '界'].map((text, at) => ({ text, startMs: at * 100, endMs: at * 100 + 100 }));
    expect(textOf(windowWords(window, { text: '你好 世界', words }))).toBe('你好 世界');
  });
});

describe('the prompt', () => {
  it('includes as many terms as fit, the first ones first', () => {
    expect(whisperPrompt([])).toBe('');
    expect(whisperPrompt(['React', 'virtual DOM'])).toBe('Glossary: React, virtual DOM.');
    const many = Array.from({ length: 300 }, (_, at) => `term${at}`);
    const prompt = whisperPrompt(many);
    expect(prompt).toMatch(/^Glossary: term0, term1, /);
    expect(tokensAtMost(prompt)).toBeLessThanOrEqual(promptMaxTokens);
    expect(prompt.split(', ').length).toBeGreaterThan(40);
  });
});

describe('whisper-cli output', () => {
  it('is parsed with the words’ times and confidences', () => {
    const json = {
      transcription: [
        {
          text: ' Node',
          offsets: { from: 0, to: 400 },
          tokens: [
            { text: '[_BEG_]', p: 0.1 },
            { text: ' Node', p: 0.9 },
          ],
        },
        {
          text: '.js',
          offsets: { from: 400, to: 700 },
          tokens: [
            { text: '.', p: 0.5 },
            { text: 'js', p: 0.7 },
          ],
        },
        { text: ' runs.', offsets: { from: 700, to: 690 } },
        { text: '', offsets: { from: 700, to: 700 } },
      ],
    };
    const words = readWhisperCliOutput(JSON.stringify(json));
    expect(words).toEqual([
      { word: 'Node', startMs: 0, endMs: 400, confidence: 0.9, glued: false },
      { word: '.js', startMs: 400, endMs: 700, confidence: 0.6, glued: true },
      { word: 'runs.', startMs: 700, endMs: 700, confidence: null, glued: false },
    ]);
    expect(textOf(words)).toBe('Node.js runs.');
  });
});
