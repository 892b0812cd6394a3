import { wordRarity } from './words.ts';

/** So many first letters are the same in most forms of a word. */
const stemLetters = 5;
const stemsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ({ word, stem: word.slice(0, stemLetters) }));

/** An answer with hardly more of a statement than the question's own words says nothing of it. */
const leastOwnShare = 0.02;

/**
 * The share of a statement's words that a passage has in some form, 0–1; rare words count more. 0 where the passage has only
 * those that are in the question. Not whether it makes the statement.
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
