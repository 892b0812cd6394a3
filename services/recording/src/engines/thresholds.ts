import type { PointState } from '@interview-prep/contracts/recording/recordings';

/** The judge model's figures for a point in an answer: how likely it is made, and contradicted, 0–1. */
export interface PointFigures {
  made: number;
  contradicted: number;
}

/** The minimum figures for each state of a point. They come with the model, or are fitted to reviewers' decisions. */
export interface Thresholds {
  /** Compared with `made`; at least `partial`. */
  covered: number;
  /** Compared with `made`. */
  partial: number;
  /** Compared with `contradicted`, which must also exceed `made`. */
  contradicted: number;
}

export function stateByFigures({ made, contradicted }: PointFigures, thresholds: Thresholds): PointState {
  if (contradicted >= thresholds.contradicted && contradicted > made) return 'contradicted';
  if (made >= thresholds.covered) return 'covered';
  return made >= thresholds.partial ? 'partial' : 'missing';
}

/** The judge's confidence in a state, 0–1. */
export function confidenceOf(state: PointState, { made, contradicted }: PointFigures): number {
  if (state === 'contradicted') return contradicted;
  return state === 'missing' ? 1 - made : made;
}

/** How far below and above its thresholds a figure must lie for the judge to be sure. */
export interface Margins {
  below: number;
  above: number;
}

/** Whether a figure is too close to a threshold to be sure of the state. */
export function isUnsure({ made, contradicted }: PointFigures, thresholds: Thresholds, margins: Margins): boolean {
  const isNear = (figure: number, low: number, high: number) =>
    figure >= low - margins.below && figure < high + margins.above;
  return (
    isNear(made, thresholds.partial, thresholds.covered) ||
    isNear(contradicted, thresholds.contradicted, thresholds.contradicted)
  );
}
