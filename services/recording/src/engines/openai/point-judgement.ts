import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { pointShares } from '@interview-prep/contracts/recording/point-states';
import { type Point, PointState, type Word } from '@interview-prep/contracts/recording/recordings';
import { z } from 'zod';
import { addUpPoints, isOptional } from '../add-up-points.ts';
import { withoutJudgeAddresses } from '../judge-address.ts';
import { findQuote } from './find-quote.ts';

const isShorterThan = (limit: number) => (value: string) => value.length <= limit;

/**
 * What the model says of each point. Bounds are refinements, which stay out of the JSON schema: strict servers refuse
 * schemas with keywords such as minLength.
 */
export const PointJudgements = z.object({
  points: z.array(
    z.object({
      number: z.number(),
      state: PointState,
      evidence: z.string().refine(isShorterThan(5000)),
      reason: z.string().refine(isShorterThan(1000)),
    }),
  ),
});
export type PointJudgements = z.infer<typeof PointJudgements>;

/** Points with whole credits, which add up to the percentage. */
export interface JudgedPoints {
  percentage: number;
  points: Point[];
}

/**
 * Adds up what the model says. A point is made or contradicted only with a quote that occurs in the transcript and does
 * not speak to the judge; without one it is missing.
 */
export function addUpJudgements(
  expertPoints: readonly ExpertPoint[],
  judgements: PointJudgements['points'],
  said: readonly string[],
  times: readonly Word[],
): JudgedPoints {
  const answered = withoutJudgeAddresses(said);
  const judged = expertPoints.map((point, index) => {
    const judgement = judgements.find(({ number }) => number === index + 1);
    const claimed = judgement?.state ?? 'missing';
    const place = claimed === 'missing' ? null : findQuote(judgement?.evidence ?? '', answered);
    const state: PointState = place ? claimed : 'missing';
    const wasDropped = claimed !== 'missing' && place === null;
    const reason = wasDropped ? 'No words of the answer were quoted for this.' : judgement?.reason.trim();
    return { point, state, place, reason };
  });
  const { percentage, weights, credits } = addUpPoints(
    expertPoints,
    judged.map(({ state }) => pointShares[state]),
  );
  const points = judged.map(({ point, state, place, reason }, index): Point => {
    const [first, last] = place ? [times[place.firstWord], times[place.lastWord]] : [];
    return {
      text: point.text,
      covered: state === 'covered',
      evidence: place ? said.slice(place.firstWord, place.lastWord + 1).join(' ') : '',
      state,
      weight: weights[index]!,
      credit: credits[index]!,
      ...(isOptional(point, expertPoints) ? { optional: true } : {}),
      ...place,
      ...(place && state !== 'contradicted' ? { how: 'meaning' } : {}),
      ...(first && last ? { startMs: first.startMs, endMs: last.endMs } : {}),
      ...(reason ? { reason } : {}),
    };
  });
  return { percentage, points };
}
