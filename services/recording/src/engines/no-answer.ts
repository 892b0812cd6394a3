import { plainWord, wordsOf } from '../glossary/words.ts';

/** Phrases for declining to answer. */
const refusals =
  /\b(?:(?:i (?:really |honestly |just )?(?:do not|don['’]?t|cannot|can['’]?t) (?:know|remember|recall|answer|say)(?: (?:it|that|this|the answer))?)|(?:i (?:have|['’]ve) )?no (?:idea|answer|clue|comment)|not answered|i am not sure|i['’]?m not sure|n\/a|(?:next|skip)(?: the| this)? question)\b/gi;
/** Fewer words can't be judged, unless the expert's answer is as short. */
const handful = 5;
const expertWordsPerAnswerWord = 4;
/** A refusal with at least this many other words of the candidate's own counts as an answer. */
const leastOwnWords = 5;

/**
 * Why a transcript is not an answer, in a sentence for the candidate; null if it may be one. Refusals are not, even if they
 * repeat the question. A few heard words may be noise; typed ones are deliberate.
 * @param heard whether the words were transcribed, not typed
 */
export function whyNoAnswer(
  { question, transcript, expertAnswer }: { question: string; transcript: string; expertAnswer: string },
  heard: boolean,
): string | null {
  const words = wordsOf(transcript);
  if (words.length === 0) return 'No answer was heard.';
  const rest = wordsOf(transcript.replaceAll(refusals, ' '));
  const asked = new Set(wordsOf(question).map(plainWord));
  const own = rest.filter((word) => !asked.has(plainWord(word)));
  if (rest.length < words.length && own.length < leastOwnWords) return 'The candidate did not give an answer.';
  const least = Math.min(handful, Math.max(1, Math.ceil(wordsOf(expertAnswer).length / expertWordsPerAnswerWord)));
  return heard && words.length < least ? 'The answer is too short, so it counts as no answer.' : null;
}
