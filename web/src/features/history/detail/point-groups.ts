import { stateOf } from '@interview-prep/contracts/point-states';
import type { Point, PointState } from '@interview-prep/contracts/recordings';

/** The points of one state, in the order of the expert answer. */
export interface PointGroup {
  state: PointState;
  points: readonly Point[];
}

const states: readonly PointState[] = ['covered', 'partial', 'contradicted', 'missing'];

/** The points by state, best first, without empty groups. */
export function groupPoints(points: readonly Point[]): PointGroup[] {
  return states
    .map((state) => ({ state, points: points.filter((point) => stateOf(point) === state) }))
    .filter((group) => group.points.length > 0);
}

/**
 * How the credits add up to the percentage, in the order of the groups: '12 + 8 + 0 = 20 %'. Null where a point has no
 * credit, or the credits do not add up to the percentage.
 */
export function creditSum(points: readonly Point[], percentage: number | null | undefined): string | null {
  const credits = groupPoints(points).flatMap((group) => group.points.map(({ credit }) => credit));
  if (credits.length === 0 || credits.some((credit) => credit === undefined)) return null;
  const sum = credits.reduce<number>((total, credit) => total + (credit ?? 0), 0);
  return sum === percentage ? `${credits.join(' + ')} = ${sum} %` : null;
}
