import type { Word } from '@interview-prep/contracts/recordings';
import { type SoundStream, soundStreamOf } from './sound-match.ts';
import { type Token, tokensOf, wordsOf } from './tokens.ts';

/** What a candidate said, ready to be searched. */
export interface Answer {
  /** The words as they were written down. */
  words: readonly string[];
  tokens: readonly Token[];
  /** True for tokens that were heard so clearly that they will not be another word misheard. */
  clear: readonly boolean[];
  /** Present for what was heard; what was typed cannot have been misheard. */
  stream: SoundStream | null;
  /** How sure the recogniser was: the mean over the words, 0–1; 1 where that is not known. */
  confidence: number;
}

/** Eight minutes of fluent speech; what comes after does not count. */
const tokensMax = 1200;
const clearFrom = 0.8;

/** @param heard the transcript's words, where they are known; else the transcript is taken as typed. */
export const answerOf = (transcript: string, heard: readonly Word[]): Answer => {
  const words = heard.length > 0 ? heard.map(({ word }) => word) : wordsOf(transcript);
  const tokens = tokensOf(words, tokensMax);
  const clear = tokens.map(({ source }) => (heard[source]?.confidence ?? 0) > clearFrom);
  const confidences = heard.flatMap(({ confidence }) => confidence ?? []);
  const confidence = confidences.length > 0 ? confidences.reduce((sum, one) => sum + one, 0) / confidences.length : 1;
  return { words, tokens, clear, stream: heard.length > 0 ? soundStreamOf(tokens) : null, confidence };
};

/** A stretch is quoted with so many words around it, and more where it would be too short to be understood. */
const quoteMargin = 2;
const quoteMinWords = 8;

/** The candidate's own words between two tokens, ends included, with a few words around them. */
export const quote = (answer: Answer, from: number, to: number): string => {
  const [first, last] = [answer.tokens[from]!.source, answer.tokens[to]!.source];
  const margin = Math.max(quoteMargin, Math.ceil((quoteMinWords - (last + 1 - first)) / 2));
  return answer.words.slice(Math.max(0, first - margin), last + 1 + margin).join(' ');
};
