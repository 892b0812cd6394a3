import { stateOf } from '@interview-prep/contracts/point-states';
import type { Point, PointState } from '@interview-prep/contracts/recordings';

const states: readonly PointState[] = ['covered', 'partial', 'contradicted', 'missing'];

/** The points as they are shown: by state, best first, then in the order of the expert answer. */
export function orderPoints(points: readonly Point[]): Point[] {
  return points.toSorted((a, b) => states.indexOf(stateOf(a)) - states.indexOf(stateOf(b)));
}

/** Whether the judge is not sure of a point's state, and no person has decided it. */
export function isUnsure({ creditRange }: Pick<Point, 'creditRange'>): boolean {
  return creditRange !== undefined;
}

/**
 * How the credits add up to the percentage, in the order in which points are shown: '12 + 8 + 0 = 20%'. Null where a point
 * has no credit, or the credits do not add up to the percentage.
 */
export function creditSum(points: readonly Point[], percentage: number | null | undefined): string | null {
  const credits = orderPoints(points).map(({ credit }) => credit);
  if (credits.length === 0 || credits.some((credit) => credit === undefined)) return null;
  const sum = credits.reduce<number>((total, credit) => total + (credit ?? 0), 0);
  return sum === percentage ? `${credits.join(' + ')} = ${sum}%` : null;
}
