import { wordRarity } from './word-rarity.ts';

/** So many first letters are the same in most forms of a word. */
const stemLetters = 5;
const stemsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ({ word, stem: word.slice(0, stemLetters) }));

/** The share of a statement's words that a passage has in some form, 0–1; rare words count more. Not whether it makes it. */
export function saidShare(statement: string, passage: string): number {
  const said = new Set(stemsOf(passage).map(({ stem }) => stem));
  const rarities = new Map(stemsOf(statement).map(({ word, stem }) => [stem, wordRarity(word) ** 2]));
  let [found, wanted] = [0, 0];
  for (const [stem, rarity] of rarities) {
    wanted += rarity;
    if (said.has(stem)) found += rarity;
  }
  return wanted === 0 ? 0 : found / wanted;
}
