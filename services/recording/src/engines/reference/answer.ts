import type { Word } from '@interview-prep/contracts/recordings';
import { withoutJudgeAddresses } from '../judge-address.ts';
import { meaningOf } from './meaning.ts';
import { type SoundStream, soundStreamOf } from './sound-match.ts';
import { type Stretch, stretchesOf } from './stretches.ts';
import type { Token } from './token.ts';
import { isGrammar, tokensOf, wordsOf } from './tokens.ts';

/** What a candidate said, ready to be searched. */
export interface Answer {
  /** The words as they were written down. */
  words: readonly string[];
  tokens: readonly Token[];
  stretches: readonly AnswerStretch[];
  /** True for tokens that were heard so clearly that they will not be another word misheard. */
  clear: readonly boolean[];
  stream: SoundStream;
}

export interface AnswerStretch {
  tokens: Stretch;
  meaning: Float32Array;
  /** How much of it is grammar, 0–1: half in speech, hardly any in a list of keywords. */
  grammarShare: number;
  /** Whether it says anything beside what the question says. */
  isNew: boolean;
}

/** Eight minutes of fluent speech; what comes after does not count. */
const tokensMax = 1200;
const clearFrom = 0.8;

/**
 * @param heard the transcript's words, where they are known; else the transcript is split at blanks.
 * @param asked the stems of the question's words
 */
export function answerOf(transcript: string, heard: readonly Word[], asked: ReadonlySet<string>): Answer {
  const words = heard.length > 0 ? heard.map(({ word }) => word) : wordsOf(transcript);
  const tokens = tokensOf(withoutJudgeAddresses(words), tokensMax);
  const stretches = stretchesOf(tokens).map((stretch): AnswerStretch => {
    const span = tokens.slice(stretch[0]!, stretch.at(-1)! + 1);
    return {
      tokens: stretch,
      meaning: meaningOf(
        stretch.map((at) => tokens[at]!),
        asked,
      ),
      grammarShare: span.filter(isGrammar).length / span.length,
      isNew: stretch.some((at) => !asked.has(tokens[at]!.stem)),
    };
  });
  const clear = tokens.map(({ source }) => (heard[source]?.confidence ?? 0) > clearFrom);
  return { words, tokens, stretches, clear, stream: soundStreamOf(tokens) };
}
