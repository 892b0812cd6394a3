import { pointShares, stateOf } from '@interview-prep/contracts/point-states';
import type { Assessment, Point } from '@interview-prep/contracts/recordings';
import { type Assessor, correctFrom } from '../engines/assessor.ts';
import type { Recording } from '../recordings/model.ts';
import { inItsSet, type Session } from '../sessions/model.ts';
import { findExpertAnswer } from '../sets/find-expert-answer.ts';
import type { StageDeps } from '../stages/run-stage.ts';

/**
 * Judges the point that the candidate claims on the named words alone. Where these make it better than the whole answer did,
 * the point and the score rise; the verdict keeps what was found before as `machine`.
 * @returns the recording's new verdict; the old one where the point is not there any more
 * @throws what the assessor throws
 */
export async function judgeClaim(
  recording: Recording & { claim: NonNullable<Recording['claim']> },
  session: Session,
  { assessor, models }: Pick<StageDeps, 'models'> & { assessor: Assessor },
  { signal, isLastAttempt }: { signal: AbortSignal; isLastAttempt: boolean },
): Promise<Partial<Recording>> {
  const { claim, transcription, questionId } = recording;
  const before = { ...recording.assessment, status: 'completed' } as Assessment;
  const point = before.points?.[claim.point];
  const words = (transcription.words ?? []).slice(claim.firstWord, claim.lastWord + 1);
  if (!point || words.length === 0) return { assessment: before, claim: null };
  const expert = await findExpertAnswer(inItsSet(session, questionId), questionId, models.sets);
  const expertPoint = expert?.points.find(({ text }) => text === point.text);
  const text = words.map(({ word }) => word).join(' ');
  const verdict = await assessor.assess({
    question: session.questions[questionId] ?? '',
    transcript: text,
    words,
    expertAnswer: point.text,
    points: [{ text: point.text, acceptedWordings: expertPoint?.acceptedWordings ?? [], weight: 1, optional: false }],
    signal,
    isLastAttempt,
  });
  const found = verdict.points[0];
  const state = found ? stateOf(found) : 'missing';
  const share = (found?.credit ?? (state === 'covered' ? 100 : 0)) / 100;
  const credit = point.weight === undefined ? undefined : Math.round(point.weight * share);
  const reason = found?.reason ?? verdict.reason;
  const claimed: Point = {
    ...point,
    claim: {
      firstWord: claim.firstWord,
      lastWord: claim.lastWord,
      text,
      startMs: words[0]!.startMs,
      endMs: words.at(-1)!.endMs,
      state,
      ...(credit === undefined ? {} : { credit }),
      ...(reason ? { reason } : {}),
    },
  };
  const points = [...(before.points ?? [])];
  points[claim.point] = claimed;
  const isBetter =
    pointShares[state] > pointShares[stateOf(point)] ||
    (state === stateOf(point) && (credit ?? 0) > (point.credit ?? 0));
  if (!isBetter) return { assessment: { ...before, points }, claim: null };

  points[claim.point] = {
    ...claimed,
    covered: state === 'covered',
    state,
    evidence: text,
    firstWord: claim.firstWord,
    lastWord: claim.lastWord,
    startMs: words[0]!.startMs,
    endMs: words.at(-1)!.endMs,
    ...(credit === undefined ? {} : { credit }),
    machine: point.machine ?? {
      state: stateOf(point),
      evidence: point.evidence,
      ...(point.credit === undefined ? {} : { credit: point.credit }),
      ...(point.reason ? { reason: point.reason } : {}),
    },
  };
  delete points[claim.point]!.nearest;
  delete points[claim.point]!.reason;
  if (reason) points[claim.point]!.reason = reason;
  const percentage = Math.min(100, (recording.correctnessPercentage ?? 0) + (credit ?? 0) - (point.credit ?? 0));
  return {
    assessment: { ...before, points },
    correctnessPercentage: percentage,
    isCorrect: percentage >= correctFrom,
    claim: null,
  };
}
