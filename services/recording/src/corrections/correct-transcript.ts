import { languageNorms } from '@interview-prep/contracts/delivery-norms';
import { findFillers } from '../delivery/find-fillers.ts';
import type { Recording } from '../recordings/model.ts';
import { correctWords } from './correct-words.ts';

/** The fields of a recording whose transcript says `text`. Given what was heard, the correction is taken back. */
export function correctedFields(
  { transcription, delivery }: Pick<Recording, 'transcription' | 'delivery'>,
  text: string,
): Partial<Recording> {
  const { original: kept, correctedAt: _before, ...current } = transcription;
  const original = kept ?? { text: current.text, ...(current.words ? { words: current.words } : {}) };
  const isAsHeard = text === original.text;
  const words = isAsHeard ? original.words : original.words && correctWords(original.words, text);
  const fillers = findFillers(words ?? [], languageNorms[current.language ?? '']?.fillers ?? []);
  return {
    transcription: {
      ...current,
      text,
      ...(words ? { words } : {}),
      ...(isAsHeard ? {} : { original, correctedAt: new Date().toISOString() }),
    },
    ...(delivery ? { delivery: { ...delivery, fillers } } : {}),
  };
}
