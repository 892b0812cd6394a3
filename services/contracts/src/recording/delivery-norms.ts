/** Typical values for spoken answers. Language-dependent values are in `languageNorms`. */
export const deliveryNorms = {
  /** Minimum length of a pause. */
  pauseFromMs: 2000,
  firstWordWithinMs: 3000,
  silenceShareAtMost: 0.35,
  fillersPerMinuteAtMost: 4,
  /** An answer's length relative to its suggested length, from and to. */
  lengthShare: [0.6, 1.3],
} as const;

/** Typical values of one language. */
export interface LanguageNorms {
  /** Words per minute, from and to. */
  wordsPerMinute: readonly [number, number];
  /**
   * Filler words and phrases, in lower case. `notAfter`: preceding words that give the phrase a meaning, as in
   * 'this kind of key'.
   */
  fillers: readonly { words: string; notAfter?: readonly string[] }[];
}

const determiners = [
  ...['a', 'an', 'the', 'this', 'that', 'these', 'those', 'what', 'which', 'any', 'some', 'every', 'each', 'no'],
  ...['one', 'two', 'another', 'other', 'same', 'different', 'certain', 'special', 'first', 'second'],
];

/** By ISO 639-1. Languages that are missing have no typical pace and no fillers. */
export const languageNorms: Readonly<Record<string, LanguageNorms>> = {
  en: {
    wordsPerMinute: [110, 170],
    fillers: [
      ...['um', 'umm', 'uh', 'uhm', 'er', 'erm', 'ah', 'hmm', 'mm'].map((words) => ({ words })),
      ...['you know', 'i mean', 'basically', 'actually', 'literally'].map((words) => ({ words })),
      { words: 'kind of', notAfter: determiners },
      { words: 'sort of', notAfter: determiners },
    ],
  },
  de: {
    wordsPerMinute: [95, 150],
    fillers: ['äh', 'ähm', 'öh', 'hm', 'sozusagen', 'quasi'].map((words) => ({ words })),
  },
  fr: {
    wordsPerMinute: [120, 190],
    fillers: ['euh', 'heu', 'ben', 'bah', 'du coup', 'tu vois', 'vous voyez'].map((words) => ({ words })),
  },
  es: { wordsPerMinute: [120, 190], fillers: ['eh', 'em', 'o sea', 'digamos'].map((words) => ({ words })) },
  it: { wordsPerMinute: [115, 185], fillers: ['ehm', 'cioè', 'diciamo'].map((words) => ({ words })) },
  pt: { wordsPerMinute: [115, 185], fillers: ['ahn', 'hum', 'né', 'tipo assim'].map((words) => ({ words })) },
  nl: { wordsPerMinute: [105, 165], fillers: ['eh', 'ehm', 'uh', 'zeg maar'].map((words) => ({ words })) },
};
