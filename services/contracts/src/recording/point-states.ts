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

/** A point's state. Verdicts of old versions only say whether the point is covered. */
export function stateOf({ state, covered }: Pick<Point, 'state' | 'covered'>): PointState {
  return state ?? (covered ? 'covered' : 'missing');
}
