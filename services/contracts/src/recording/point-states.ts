import type { Point, PointState } from './recordings.ts';

/** The share of its weight that a point earns in each state. */
export const pointShares = { covered: 1, partial: 0.5, missing: 0, contradicted: 0 } as const satisfies Record<
  PointState,
  number
>;

/** Display names of the states, in the UI and in documents. */
export const pointStateNames = {
  covered: 'Covered',
  partial: 'Partly covered',
  missing: 'Not mentioned',
  contradicted: 'Contradicted',
} as const satisfies Record<PointState, string>;

/**
 * A point's state. Old verdicts only say whether the point is covered, or give credit to a point marked as
 * missing: a missing point with credit counts as partly covered.
 */
export function stateOf({ state, covered, credit = 0 }: Pick<Point, 'state' | 'covered' | 'credit'>): PointState {
  const known = state ?? (covered ? 'covered' : 'missing');
  return known === 'missing' && credit > 0 ? 'partial' : known;
}
