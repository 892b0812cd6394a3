import type { ExpertPoint } from '@interview-prep/contracts/expert-points';
import type { Point, PointState, Word } from '@interview-prep/contracts/recordings';
import { z } from 'zod';
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
      state: z.enum(['covered', 'partial', 'missing']),
      evidence: z.string().refine(isShorterThan(5000)),
      reason: z.string().refine(isShorterThan(1000)),
    }),
  ),
});
export type PointJudgements = z.infer<typeof PointJudgements>;

/** What is earned of a point's weight. */
const creditOf: Record<PointState, number> = { covered: 1, partial: 0.5, missing: 0 };

/** Points with whole credits, which add up to the percentage. */
export interface JudgedPoints {
  percentage: number;
  points: Point[];
}

/** Whole numbers near the given ones that add up to `total` (largest remainder). */
function roundTo(total: number, values: readonly number[]): number[] {
  const rounded = values.map(Math.floor);
  const missing = total - rounded.reduce((sum, value) => sum + value, 0);
  const byRest = values.map((value, index) => ({ index, rest: value % 1 })).sort((a, b) => b.rest - a.rest);
  for (const { index } of byRest.slice(0, Math.max(0, missing))) rounded[index]! += 1;
  return rounded;
}

/**
 * Adds up what the model says. A point counts only with a quote that occurs in the transcript. Required points share 100
 * by their weights; optional ones add to what is earned, up to 100.
 */
export function addUpPoints(
  expertPoints: readonly ExpertPoint[],
  judgements: PointJudgements['points'],
  said: readonly string[],
  times: readonly Word[],
): JudgedPoints {
  const allOptional = expertPoints.every(({ optional }) => optional);
  const isOptional = ({ optional }: ExpertPoint) => optional && !allOptional;
  const total = expertPoints.reduce((sum, point) => sum + (isOptional(point) ? 0 : point.weight), 0);
  const shares = expertPoints.map(({ weight }) => (100 * weight) / total);
  const required = expertPoints.flatMap((point, index) => (isOptional(point) ? [] : [index]));
  const weights = shares.map(Math.round);
  for (const [at, weight] of roundTo(
    100,
    required.map((index) => shares[index]!),
  ).entries())
    weights[required[at]!] = weight;

  const judged = expertPoints.map((point, index) => {
    const judgement = judgements.find(({ number }) => number === index + 1);
    const claimed = judgement?.state ?? 'missing';
    const place = claimed === 'missing' ? null : findQuote(judgement?.evidence ?? '', said);
    const state: PointState = place ? claimed : 'missing';
    const wasDropped = claimed !== 'missing' && place === null;
    const reason = wasDropped ? 'No words of the answer were quoted for this.' : judgement?.reason.trim();
    return { point, state, place, reason };
  });
  const earned = judged.map(({ state }, index) => shares[index]! * creditOf[state]);
  const sum = earned.reduce((one, other) => one + other, 0);
  const percentage = Math.min(100, Math.round(sum));
  const scale = sum > 100 ? 100 / sum : 1;
  const credits = roundTo(
    percentage,
    earned.map((one) => one * scale),
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
      ...(isOptional(point) ? { optional: true } : {}),
      ...(place ? { ...place, how: 'meaning' } : {}),
      ...(first && last ? { startMs: first.startMs, endMs: last.endMs } : {}),
      ...(reason ? { reason } : {}),
    };
  });
  return { percentage, points };
}
