import { stemmer } from 'stemmer';
import { commonWords, fieldWords, functionWords, irregularForms, relationWords } from './english-words.ts';

/** Converts British to American spelling, so that both have the same stem. */
const respell = (word: string): string =>
  word
    .replace(/(?<=[a-z]{2})our(?=$|s$|ed$|ing$|al$)/, 'or')
    .replace(/is(?=e$|es$|ed$|ing$|ation$|ations$|er$)(?<=[a-z]{4})/, 'iz');

/** The stem of a lower-case word (irregular forms, then Porter's algorithm). */
export function stemOf(word: string): string {
  return stemmer(respell(irregularForms.get(word) ?? word));
}

/** The weight of a word of quantity, time or place. */
export const relationWeight = 0.2;
const commonWeight = 0.4;
/** The weight of a word that is common to all talk about software. */
export const fieldWeight = 0.5;

const commonStems = new Set([...commonWords].map(stemOf));
const fieldStems = new Set([...fieldWords].map(stemOf));

/** The weight of a word that two texts share: 0 for grammar, less than 1 for relation, common and field words, else 1. */
export function wordWeight(text: string, stem: string): number {
  if (functionWords.has(text)) return 0;
  if (relationWords.has(text)) return relationWeight;
  if (commonWords.has(text) || commonStems.has(stem)) return commonWeight;
  return fieldStems.has(stem) ? fieldWeight : 1;
}

/** The stems of a text's words that weigh at least `leastWeight`. */
export function stemsOf(text: string, leastWeight = 0): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:\+\+|#)?/gu) ?? [];
  return new Set(words.filter((word) => wordWeight(word, stemOf(word)) >= leastWeight).map(stemOf));
}
