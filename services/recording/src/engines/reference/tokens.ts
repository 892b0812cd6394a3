import { doubleMetaphone } from 'double-metaphone';
import { commonWords, fieldWords, functionWords, relationWords } from './english-words.ts';
import { stemOf } from './stem.ts';

/** A word as it is compared with others. */
interface AnalysedWord {
  /** In lower case, without punctuation. */
  text: string;
  stem: string;
  /** Its consonants as they sound, after Double Metaphone; vowels and h are left out. */
  sound: string;
  /** How much sharing this word tells: 0 for grammar, little for relations, common words and the field's, else 1. */
  weight: number;
}

/** A word of a text. */
export interface Token extends AnalysedWord {
  /** Index of the written or spoken word that it comes from ("key/value" gives two tokens). */
  source: number;
}

/** The weight of a word that only relates others. */
export const relationWeight = 0.2;
const commonWeight = 0.4;
/** The weight of a word that any talk about software uses. */
export const fieldWeight = 0.5;

const commonStems = new Set([...commonWords].map(stemOf));
const fieldStems = new Set([...fieldWords].map(stemOf));
const wordMaxLength = 40;

/** Texts repeat their words: each is worked out once. Bounded, so that memory stays flat. */
const cacheLimit = 5000;
const cache = new Map<string, AnalysedWord>();

const weightOf = (text: string, stem: string): number => {
  if (functionWords.has(text)) return 0;
  if (relationWords.has(text)) return relationWeight;
  if (commonWords.has(text) || commonStems.has(stem)) return commonWeight;
  return fieldStems.has(stem) ? fieldWeight : 1;
};

const analyse = (text: string): AnalysedWord => {
  const known = cache.get(text);
  if (known) return known;
  const stem = stemOf(text);
  const sound = doubleMetaphone(text)[0].replaceAll(/[AH]/g, '');
  const analysed = { text, stem, sound, weight: weightOf(text, stem) };
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(text, analysed);
  return analysed;
};

/** At most `limit` tokens of a list of words. Anything but a letter or a digit separates tokens; "n't" becomes "not". */
export const tokensOf = (words: readonly string[], limit: number): Token[] => {
  const tokens: Token[] = [];
  for (const [source, word] of words.entries()) {
    const plain = word
      .slice(0, wordMaxLength * 4)
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll('’', "'")
      .replace(/n't\b/, ' not')
      .replace(/'s\b/, '');
    for (const [text] of plain.matchAll(/[\p{L}\p{N}]+(?:\+\+|#)?/gu)) {
      if (tokens.length >= limit) return tokens;
      tokens.push({ ...analyse(text.slice(0, wordMaxLength)), source });
    }
  }
  return tokens;
};

/** The words of a text, as whitespace parts them. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
