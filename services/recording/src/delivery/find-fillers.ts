import type { Filler } from '@interview-prep/contracts/recording/delivery';
import type { LanguageNorms } from '@interview-prep/contracts/recording/delivery-norms';
import type { Word } from '@interview-prep/contracts/recording/recordings';

const essence = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}'’]+/gu, '');

/** The fillers of a language's list in a transcript, in order. Where two begin at a word, the longer one counts. */
export function findFillers(words: readonly Pick<Word, 'word'>[], list: LanguageNorms['fillers']): Filler[] {
  const spoken = words.map(({ word }) => essence(word));
  const phrases = list
    .map(({ words: kind, notAfter = [] }) => ({ kind, parts: kind.split(' '), notAfter }))
    .toSorted((a, b) => b.parts.length - a.parts.length);
  const found: Filler[] = [];
  for (let at = 0; at < spoken.length; at++) {
    const phrase = phrases.find(
      ({ parts, notAfter }) =>
        parts.every((part, offset) => spoken[at + offset] === part) && !notAfter.includes(spoken[at - 1] ?? ''),
    );
    if (!phrase) continue;
    const lastWord = at + phrase.parts.length - 1;
    found.push({ kind: phrase.kind, firstWord: at, lastWord });
    at = lastWord;
  }
  return found;
}
