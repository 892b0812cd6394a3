import type { Word } from '@interview-prep/contracts/recordings';
import { commonWords } from '../../src/engines/follow-ups/english-words.ts';
import { wordRarity } from '../../src/glossary/word-rarity.ts';

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function randomNumbers(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const everyday = [...commonWords];
/** How often a word is lost: technical terms more often than others. */
const lost = { term: 0.4, other: 0.22 };
/** Of what is lost, this much comes back as another word. */
const replacedShare = 0.6;

/** A text as a modest recogniser would hear it: about 30 % of the words dropped or taken for everyday ones. */
export function misheard(text: string, seed: number): { text: string; words: Word[] } {
  const random = randomNumbers(seed);
  const words: Word[] = [];
  const hear = (word: string, confidence: number) => {
    const startMs = words.length * 300;
    words.push({ word, startMs, endMs: startMs + 250, confidence });
  };
  for (const word of text.replaceAll('`', '').split(/\s+/)) {
    const isTerm = wordRarity(word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')) >= 0.8;
    if (random() >= (isTerm ? lost.term : lost.other)) hear(word.toLowerCase(), 0.4 + random() * 0.6);
    else if (random() < replacedShare) hear(everyday[Math.floor(random() * everyday.length)]!, random() * 0.6);
  }
  return { text: words.map(({ word }) => word).join(' '), words };
}
