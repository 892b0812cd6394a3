import { z } from 'zod';

/** Languages that Whisper supports, by its codes: ISO 639-1, else 639-3; `jw` is Javanese. English comes first. */
export const spokenLanguages = [
  ...['en', 'zh', 'de', 'es', 'ru', 'ko', 'fr', 'ja', 'pt', 'tr', 'pl', 'ca', 'nl', 'ar', 'sv', 'it', 'id', 'hi', 'fi'],
  ...['vi', 'he', 'uk', 'el', 'ms', 'cs', 'ro', 'da', 'hu', 'ta', 'no', 'th', 'ur', 'hr', 'bg', 'lt', 'la', 'mi', 'ml'],
  ...['cy', 'sk', 'te', 'fa', 'lv', 'bn', 'sr', 'az', 'sl', 'kn', 'et', 'mk', 'br', 'eu', 'is', 'hy', 'ne', 'mn', 'bs'],
  ...['kk', 'sq', 'sw', 'gl', 'mr', 'pa', 'si', 'km', 'sn', 'yo', 'so', 'af', 'oc', 'ka', 'be', 'tg', 'sd', 'gu', 'am'],
  ...[
    'yi',
    'lo',
    'uz',
    'fo',
    'ht',
    'ps',
    'tk',
    'nn',
    'mt',
    'sa',
    'lb',
    'my',
    'bo',
    'tl',
    'mg',
    'as',
    'tt',
    'haw',
    'ln',
  ],
  ...['ha', 'ba', 'jw', 'su'],
] as const;

/** The language that answers to a set are spoken in. */
export const SpokenLanguage = z.enum(spokenLanguages, 'This language is not known');
export type SpokenLanguage = z.infer<typeof SpokenLanguage>;

/** The default if neither the set nor the server specifies a language. */
export const defaultLanguage: SpokenLanguage = 'en';
