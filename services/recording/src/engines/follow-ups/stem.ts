import { stemmer } from 'stemmer';
import { irregularForms } from './english-words.ts';

/** British spellings brought to the American ones, so that both have one stem. */
const respell = (word: string): string =>
  word
    .replace(/(?<=[a-z]{2})our(?=$|s$|ed$|ing$|al$)/, 'or')
    .replace(/is(?=e$|es$|ed$|ing$|ation$|ations$|er$)(?<=[a-z]{4})/, 'iz');

/** The part of a word that its inflections share (Porter's algorithm, irregular forms first). `word` is in lower case. */
export function stemOf(word: string): string {
  return stemmer(respell(irregularForms.get(word) ?? word));
}
