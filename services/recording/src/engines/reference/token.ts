/** What a token is compared as: numbers and complexities are equal or not, words may be alike. */
export type TokenKind = 'word' | 'number' | 'complexity';

/** A word as it is compared with others. */
export interface AnalysedWord {
  kind: TokenKind;
  /** In lower case, without punctuation; a number in digits, a complexity by its name. */
  text: string;
  stem: string;
  /** Its consonants as they sound, after Double Metaphone; vowels and h are left out. */
  sound: string;
  /** How much it means that both texts have this word: 0 for grammar, up to 1 for a term. */
  weight: number;
  /** Its meaning, of unit length; null where it has none. */
  vector: Float32Array | null;
}

/** A word of a text. */
export interface Token extends AnalysedWord {
  /** Index of the written or spoken word that it comes from ("key/value" gives two tokens). */
  source: number;
  /** Index of the last such word: a complexity may span several. */
  lastSource: number;
  /** Number of the sentence, from 0. */
  sentence: number;
  /** Number of the clause, from 0. */
  clause: number;
  /** Number of the stretch between two punctuation marks, from 0. */
  stretch: number;
  /** Whether an odd number of negations reach the word. */
  negated: boolean;
  /** Whether an odd number of negations are in its clause. */
  inNegative: boolean;
  /** Whether its clause only says when something else holds ("if it is full"). */
  conditional: boolean;
  /** Whether an odd number of negations are in the conditions of its sentence ("unless it is full"). */
  underNegative: boolean;
}
