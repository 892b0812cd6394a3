import { editDistance } from './edit-distance.ts';
import { synonymGroups } from './synonyms.ts';
import type { Token } from './tokens.ts';

/** What a match of each kind is worth. */
const credit = { same: 1, misspelt: 0.9, sameRoot: 0.8, synonym: 0.5 } as const;

const editsAllowed = (length: number): number => (length >= 8 ? 2 : length >= 5 ? 1 : 0);

const haveSameRoot = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 5 && long.startsWith(short) && short.length / long.length >= 0.6;
};

const areSynonyms = (a: string, b: string): boolean => {
  const groups = synonymGroups(a);
  return groups.length > 0 && synonymGroups(b).some((group) => groups.includes(group));
};

/**
 * How far one word stands for another, 0–1, by root, spelling and meaning. Words whose first letters differ are never
 * taken for misspellings, so that "mutable" does not pass for "immutable".
 */
export const wordCredit = (wanted: Token, given: Token): number => {
  if (wanted.stem === given.stem) return credit.same;
  if (wanted.text[0] === given.text[0]) {
    const limit = editsAllowed(Math.min(wanted.text.length, given.text.length));
    if (limit > 0 && editDistance(wanted.text, given.text, limit) <= limit) return credit.misspelt;
    if (haveSameRoot(wanted.stem, given.stem)) return credit.sameRoot;
  }
  return areSynonyms(wanted.stem, given.stem) ? credit.synonym : 0;
};

/** Where neighbouring words of the answer, written together, are the wanted word ("java script"), ends included. */
export const joinedMatches = (wanted: Token, answer: readonly Token[]): { from: number; to: number }[] => {
  const matches: { from: number; to: number }[] = [];
  if (wanted.text.length < 2) return matches;
  for (const [from, first] of answer.entries()) {
    let text = first.text;
    for (let to = from + 1; to < answer.length && text.length < wanted.text.length; to++) {
      if (!wanted.text.startsWith(text)) break;
      text += answer[to]!.text;
      if (text === wanted.text) matches.push({ from, to });
    }
  }
  return matches;
};
