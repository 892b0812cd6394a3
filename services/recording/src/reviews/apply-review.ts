import { pointShares, stateOf } from '@interview-prep/contracts/recording/point-states';
import type { Assessment, Point, PointState } from '@interview-prep/contracts/recording/recordings';
import type { NewReview } from '@interview-prep/contracts/recording/reviews';
import { correctFromPercentage } from '@interview-prep/contracts/recording/shown-verdict';
import type { Review } from '@interview-prep/contracts/recording/verdict-review';
import { rangeOf } from '../engines/add-up-points.ts';
import type { Recording } from '../recordings/model.ts';

function unreviewed(point: Point): Point {
  const { review, ...rest } = point;
  return review ? { ...rest, ...review.before } : rest;
}

/** A point with a reviewer's decision. Keeps its credit if the reviewer agrees with the judge. */
function reviewedPoint({ creditRange, ...point }: Point, state: PointState, reason: string): Point {
  const { covered, weight, credit, evidence, machine } = point;
  const before = {
    covered,
    state: stateOf(point),
    ...(credit === undefined ? {} : { credit }),
    ...(creditRange ? { creditRange } : {}),
  };
  const review = { reason, before };
  if (state === before.state) return { ...point, review };
  return {
    ...point,
    covered: state === 'covered',
    state,
    ...(weight === undefined ? {} : { credit: Math.round(weight * pointShares[state]) }),
    machine: machine ?? {
      state: before.state,
      evidence,
      ...(credit === undefined ? {} : { credit }),
      ...(point.reason ? { reason: point.reason } : {}),
    },
    review,
  };
}

/** The total of the points; without weights, the share of points that were made. */
function sumOf(points: readonly Point[]): number {
  const sum = points.some(({ credit }) => credit === undefined)
    ? (100 * points.filter(({ covered }) => covered).length) / Math.max(1, points.length)
    : points.reduce((total, { credit }) => total + (credit ?? 0), 0);
  return Math.min(100, Math.round(sum));
}

/** A reviewer's decisions about points. */
const decisionsOf = (points: readonly Point[]) =>
  points.flatMap((point) =>
    point.review ? [{ text: point.text, state: stateOf(point), reason: point.review.reason }] : [],
  );

/**
 * The fields of a reviewed recording. An earlier review is undone first, and kept as history.
 * @returns null if a point doesn't exist, or no score can be determined
 */
export function reviewedFields(
  {
    assessment,
    isCorrect,
    correctnessPercentage,
  }: Pick<Recording, 'assessment' | 'isCorrect' | 'correctnessPercentage'>,
  wanted: NewReview,
  by: Pick<Review, 'by' | 'reviewer'>,
): Pick<Recording, 'assessment' | 'isCorrect' | 'correctnessPercentage'> | null {
  const points = (assessment.points ?? []).map(unreviewed);
  if (wanted.points.some(({ point }) => point >= points.length)) return null;
  for (const { point, state, reason } of wanted.points) points[point] = reviewedPoint(points[point]!, state, reason);
  if (wanted.correctnessPercentage === null && points.length === 0) return null;
  const machine = assessment.machine ?? { isCorrect, correctnessPercentage };
  const isChanged = points.some(({ review }) => review);
  const percentage =
    wanted.correctnessPercentage ?? (isChanged ? sumOf(points) : (machine.correctnessPercentage ?? sumOf(points)));
  const { reason, comments } = wanted;
  const review: Review = {
    ...by,
    createdAt: new Date().toISOString(),
    correctnessPercentage: Math.round(percentage),
    reason,
    comments: comments.toSorted((a, b) => a.atMs - b.atMs),
  };
  const { range: _ofTheMachine, review: replaced, earlierReviews = [], ...judged } = assessment;
  const earlier = replaced
    ? [{ ...replaced, points: decisionsOf(assessment.points ?? []) }, ...earlierReviews]
    : earlierReviews;
  const range = wanted.correctnessPercentage === null ? rangeOf(points) : undefined;
  const reviewed: Assessment = {
    ...judged,
    status: 'completed',
    points,
    ...(range ? { range } : {}),
    machine,
    review,
    ...(earlier.length > 0 ? { earlierReviews: earlier } : {}),
  };
  return { assessment: reviewed, correctnessPercentage: percentage, isCorrect: percentage >= correctFromPercentage };
}
