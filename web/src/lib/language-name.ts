import { atFirstUse } from './formats.ts';

const names = atFirstUse(() => new Intl.DisplayNames('en', { type: 'language' }));

/** A language's English name, e.g. 'German' for 'de'. @param code of ISO 639 */
export function languageName(code: string): string {
  return names().of(code) ?? code;
}
