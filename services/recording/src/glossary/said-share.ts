import { wordRarity } from './words.ts';

/** Most forms of a word share this many leading letters. */
const stemLetters = 5;
const stemsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ({ word, stem: word.slice(0, stemLetters) }));

/** An answer that contains hardly more of a statement than the question itself doesn't address it. */
const leastOwnShare = 0.02;

/**
 * The share of a statement's words that occur in a passage in some form, 0–1; rare words weigh more. 0 if only words
 * from the question occur. Doesn't tell whether the passage makes the statement.
 */
export function saidShare(statement: string, passage: string, question = ''): number {
  const asked = new Set(stemsOf(question).map(({ stem }) => stem));
  const said = new Set(stemsOf(passage).map(({ stem }) => stem));
  const rarities = new Map(stemsOf(statement).map(({ word, stem }) => [stem, wordRarity(word) ** 2]));
  let [own, found, wanted] = [0, 0, 0];
  for (const [stem, rarity] of rarities) {
    wanted += rarity;
    if (said.has(stem)) found += rarity;
    if (said.has(stem) && !asked.has(stem)) own += rarity;
  }
  return wanted === 0 || own / wanted < leastOwnShare ? 0 : found / wanted;
}
