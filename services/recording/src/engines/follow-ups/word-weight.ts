import { stemmer } from 'stemmer';
import { commonWords, fieldWords, functionWords, irregularForms, relationWords } from './english-words.ts';

/** British spellings brought to the American ones, so that both have one stem. */
const respell = (word: string): string =>
  word
    .replace(/(?<=[a-z]{2})our(?=$|s$|ed$|ing$|al$)/, 'or')
    .replace(/is(?=e$|es$|ed$|ing$|ation$|ations$|er$)(?<=[a-z]{4})/, 'iz');

/** The part of a word that its inflections share (Porter's algorithm, irregular forms first). `word` is in lower case. */
export function stemOf(word: string): string {
  return stemmer(respell(irregularForms.get(word) ?? word));
}

/** The weight of a word that only relates others. */
export const relationWeight = 0.2;
const commonWeight = 0.4;
/** The weight of a word that any talk about software uses. */
export const fieldWeight = 0.5;

const commonStems = new Set([...commonWords].map(stemOf));
const fieldStems = new Set([...fieldWords].map(stemOf));

/** How much it means that both texts have a word: 0 for grammar, little for relations, common words and the field's, else 1. */
export function wordWeight(text: string, stem: string): number {
  if (functionWords.has(text)) return 0;
  if (relationWords.has(text)) return relationWeight;
  if (commonWords.has(text) || commonStems.has(stem)) return commonWeight;
  return fieldStems.has(stem) ? fieldWeight : 1;
}

/** The stems of a text's words that weigh at least so much. */
export function stemsOf(text: string, leastWeight = 0): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:\+\+|#)?/gu) ?? [];
  return new Set(words.filter((word) => wordWeight(word, stemOf(word)) >= leastWeight).map(stemOf));
}
