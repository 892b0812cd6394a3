import { plainWord } from '../glossary/words.ts';
import type { Place } from './add-up-points.ts';

/** `derivePoints` may begin a point after one of these words. */
const joiningWords = /^(?:and|but|while|whereas)$/i;
/** If `derivePoints` filled in a subject, the answer has a pronoun there: after at most one word, replacing at most five. */
const subjects = [0, 1].flatMap((from) => [1, 2, 3, 4, 5].map((count) => ({ from, to: from + count })));
/** "Readers never block writers" is not recited by "They block writers". */
const negation = /(?<!`)\b(?:no|not|never|cannot|neither|nor|hardly|rarely)\b|n['’]t\b/i;
/** Fewer words after a pronoun may be about something else. */
const leastRecitedWords = 3;
const recitedWord = (word: string) => plainWord(word).replace(/^(?:they|them)$/, 'it');

/** Finds where an answer recites a statement word for word, from the start of a sentence or clause on. */
export function findRecital(words: readonly string[], statement: string): Place | undefined {
  const tokens = statement.split(/\s+/);
  const wanted = tokens.map(recitedWord);
  const said = words.map(recitedWord);
  const filledIn = subjects.filter(
    ({ from, to }) => wanted.length - to >= leastRecitedWords && !negation.test(tokens.slice(from, to).join(' ')),
  );
  const ways = [wanted, ...filledIn.map(({ from, to }) => [...wanted.slice(0, from), 'it', ...wanted.slice(to)])];
  for (const at of said.keys()) {
    if (at > 0 && !/[.!?,;:]$/.test(words[at - 1]!) && !joiningWords.test(words[at - 1]!)) continue;
    const way = ways.find((one) => one.every((word, index) => said[at + index] === word));
    if (way) return { firstWord: at, lastWord: at + way.length - 1 };
  }
  return undefined;
}
