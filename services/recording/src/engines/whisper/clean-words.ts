import type { Word } from '@interview-prep/contracts/recording/recordings';

/** A word as Whisper wrote it. `glued`: no space before it, as in languages that write none. */
export interface HeardWord extends Word {
  glued: boolean;
}

const closing: Record<string, string> = { '[': ']', '(': ')', '{': '}', '*': '*', '♪': '♪', '♫': '♫' };
/** Bracketed sounds are short: '[ Silence ]', '(upbeat music)', '*sighs*'. */
const bracketedMaxWords = 8;

/** Drops Whisper's bracketed sounds and stage directions, which are never speech. */
export function dropBracketed(words: readonly HeardWord[]): HeardWord[] {
  const kept: HeardWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const close = closing[words[at]!.word[0] ?? ''];
    const end = close === undefined ? -1 : closingIndex(words, at, close);
    if (end >= 0) at = end;
    else kept.push(words[at]!);
  }
  return kept.filter(({ word }) => /[\p{L}\p{N}]/u.test(word));
}

function closingIndex(words: readonly HeardWord[], from: number, close: string): number {
  for (let at = from; at < Math.min(words.length, from + bracketedMaxWords); at++) {
    const word = words[at]!.word.replace(/[.,!?;:]+$/, '');
    if (word.endsWith(close) && (at > from || word.length > 1)) return at;
  }
  return -1;
}

const phraseMaxWords = 12;
/** A short phrase repeated this often is a decoder loop; a long one only if it is impossibly fast. */
const loopFrom = 4;
const shortPhraseWords = 5;
const oneWordLoopFrom = 6;
const fastestWordMs = 200;

/** Collapses decoder loops to a single phrase. */
export function cutLoops(words: readonly HeardWord[]): HeardWord[] {
  const keys = words.map(({ word }) => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ''));
  const kept: HeardWord[] = [];
  let at = 0;
  while (at < words.length) {
    const loop = findLoop(words, keys, at);
    const length = loop?.phrase ?? 1;
    kept.push(...words.slice(at, at + length));
    at += loop ? loop.phrase * loop.times : 1;
  }
  return kept;
}

function findLoop(words: readonly HeardWord[], keys: readonly string[], from: number) {
  for (let phrase = 1; phrase <= phraseMaxWords; phrase++) {
    let times = 1;
    while (isSame(keys, from, from + phrase * times, phrase)) times += 1;
    if (times >= (phrase === 1 ? oneWordLoopFrom : loopFrom)) {
      const spokenMs = words[from + phrase * times - 1]!.endMs - words[from]!.startMs;
      if (phrase <= shortPhraseWords || spokenMs < phrase * times * fastestWordMs) return { phrase, times };
    }
  }
  return null;
}

function isSame(keys: readonly string[], a: number, b: number, length: number): boolean {
  if (b + length > keys.length) return false;
  for (let at = 0; at < length; at++) if (keys[a + at] !== keys[b + at]) return false;
  return true;
}

/** Joins words into text, with Whisper's spacing. */
export function textOf(words: readonly HeardWord[]): string {
  return words.map(({ word, glued }, at) => (at === 0 || glued ? word : ` ${word}`)).join('');
}
