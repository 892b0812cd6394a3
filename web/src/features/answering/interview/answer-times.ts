import type { AnswerTiming } from '@interview-prep/contracts/catalog/answer-timing';
import { roundTime } from '../../../lib/formats.ts';

/** What comes before each recording, and how long it may be, in a sentence. */
export function timesSentence({ thinkingSeconds, timeLimitSeconds }: AnswerTiming, readsAloud: boolean): string {
  const think = thinkingSeconds && `${roundTime(thinkingSeconds)} to think before the recording starts`;
  const limit = timeLimitSeconds && `${roundTime(timeLimitSeconds)} to answer`;
  if (!think && !limit) {
    return readsAloud
      ? 'Each question is read aloud, then the recording starts.'
      : 'Recording starts as soon as each question appears.';
  }
  return `You have ${[think, limit].filter(Boolean).join(', then ')}, for each question.`;
}
