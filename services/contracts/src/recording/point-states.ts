import type { Point, PointState } from './recordings.ts';

/** How much of its weight a point earns in each state. */
export const pointShares = { covered: 1, partial: 0.5, missing: 0, contradicted: 0 } as const satisfies Record<
  PointState,
  number
>;

/** How the states are called on screens and in documents. */
export const pointStateNames = {
  covered: 'Covered',
  partial: 'Partly covered',
  missing: 'Not mentioned',
  contradicted: 'Contradicted',
} as const satisfies Record<PointState, string>;

/**
 * A point's state. Verdicts of old versions only say whether the point is covered, or give credit for a point that they call
 * missing: what earned something was mentioned in part.
 */
export function stateOf({ state, covered, credit = 0 }: Pick<Point, 'state' | 'covered' | 'credit'>): PointState {
  const known = state ?? (covered ? 'covered' : 'missing');
  return known === 'missing' && credit > 0 ? 'partial' : known;
}
