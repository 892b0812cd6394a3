import type { Token } from './token.ts';
import { tokensOf, wordsOf } from './tokens.ts';

/** What people say instead of an answer. */
const refusals =
  /\b(?:(?:i (?:really |honestly |just )?(?:do not|don['’]?t|cannot|can['’]?t) (?:know|remember|recall|answer|say)(?: (?:it|that|this|the answer))?)|(?:i (?:have|['’]ve) )?no (?:idea|answer|clue|comment)|not answered|i am not sure|i['’]?m not sure|n\/a|(?:next|skip)(?: the| this)? question)\b/gi;
const handful = 5;
const leastOwnWords = 3;
const tokensMax = 10_000;
const expertWordsPerAnswerWord = 4;

/** The content words of a text that are not the question's. */
export function ownWordsOf(tokens: readonly Token[], question: readonly Token[]): Token[] {
  const asked = new Set(question.map(({ stem }) => stem));
  return tokens.filter(({ weight, stem }) => weight >= 0.4 && !asked.has(stem));
}

/** The reason given for an answer under a handful of words. */
export const tooShort = 'The answer is too short to be judged.';

/** Whether an answer is under a handful of words: fewer where the expert's own answer is as short. */
export function isTooShort(answer: readonly Token[], expertAnswer: string | undefined): boolean {
  const expertWords = expertAnswer ? tokensOf(wordsOf(expertAnswer), tokensMax).length : Number.POSITIVE_INFINITY;
  return answer.length < Math.min(handful, Math.max(1, Math.ceil(expertWords / expertWordsPerAnswerWord)));
}

/** Why a transcript is no answer, in words; null where it may be one. A refusal is none, with or without the question repeated. */
export function whyNoAnswer(question: string, transcript: string): string | null {
  const tokens = tokensOf(wordsOf(transcript), tokensMax);
  if (tokens.length === 0) return 'No answer was heard.';
  const rest = tokensOf(wordsOf(transcript.replaceAll(refusals, ' ')), tokensMax);
  const asked = tokensOf(wordsOf(question), tokensMax);
  const refused = rest.length < tokens.length && ownWordsOf(rest, asked).length < leastOwnWords;
  return refused ? 'The candidate did not give an answer.' : null;
}
