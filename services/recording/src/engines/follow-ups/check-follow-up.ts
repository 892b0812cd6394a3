import { withoutJudgeAddresses } from '../judge-address.ts';
import type { FollowUpRequest } from './follow-up-request.ts';
import { stemsOf } from './word-weight.ts';

/** How long a model's question may be, in characters. */
export const followUpLength = { min: 15, max: 240 } as const;

/** A question that contains this share of the point's words gives it away. */
const givenAwayFrom = 0.7;
/** From this weight on a word belongs to the subject, and not to talk about software in general. */
const subjectWeight = 0.5;

const subjectStems = (text: string): Set<string> => stemsOf(text, subjectWeight);

/**
 * Why a follow-up question of a model is not asked, in words; null where it may be: it has the length and the form of one
 * question, is about the point or the question before it, and neither gives the point away nor speaks to the judge.
 */
export function followUpFault(text: string, { question, point }: Pick<FollowUpRequest, 'question' | 'point'>) {
  if (text.length < followUpLength.min) return 'it is too short';
  if (text.length > followUpLength.max) return 'it is too long';
  if (/[\n\r<>]|https?:|www\./i.test(text)) return 'it is not plain text of one line';
  if (!/[?？]$/u.test(text) || (text.match(/[?？]/gu) ?? []).length > 2) return 'it is not one question';
  if (withoutJudgeAddresses(text.split(' ')).includes('.')) return 'it speaks to the judge';
  const [said, aboutPoint, aboutQuestion] = [text, point, question].map(subjectStems) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  const shared = [...aboutPoint].filter((stem) => said.has(stem));
  if (shared.length === 0 && ![...aboutQuestion].some((stem) => said.has(stem))) return 'it is about something else';
  if (aboutPoint.size >= 3 && shared.length / aboutPoint.size >= givenAwayFrom) return 'it gives the point away';
  if ([...said].every((stem) => aboutQuestion.has(stem))) return 'it asks the same question again';
  return null;
}
