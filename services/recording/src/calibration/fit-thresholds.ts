import { createHash } from 'node:crypto';
import { pointShares } from '@interview-prep/contracts/recording/point-states';
import type { PointState } from '@interview-prep/contracts/recording/recordings';
import { type PointFigures, stateByFigures, type Thresholds } from '../engines/thresholds.ts';
import { meanOf } from '../grading/agreement.ts';

/** A point with the model's figures, and the state that a reviewer gave it. */
export interface Example extends PointFigures {
  recordingId: string;
  state: PointState;
}

/** The best thresholds for one half of the examples, and how they perform on the other half. */
interface ThresholdFit {
  thresholds: Thresholds;
  fittedTo: number;
  heldOut: number;
  /** Mean absolute error of the points' credit on the held-out half, 0–1, with the current thresholds and with the new ones. */
  before: number;
  after: number;
  /** Whether the new thresholds have a lower error on the held-out half. */
  isBetter: boolean;
}

/** With fewer examples in either half, the result would be noise. */
const leastInHalf = 10;
const steps = Array.from({ length: 19 }, (_, index) => Number(((index + 1) * 0.05).toFixed(2)));
/** Smaller differences are rounding errors. */
const leastDifference = 1e-9;

/** Split by recording, since the points of one answer are correlated. */
const isHeldOut = ({ recordingId }: Example): boolean =>
  (createHash('sha256').update(recordingId).digest()[0]! & 1) === 1;

/** The absolute error of the credit compared to the reviewer's, 0–1. */
const errorOf = (example: Example, thresholds: Thresholds): number =>
  Math.abs(pointShares[stateByFigures(example, thresholds)] - pointShares[example.state]);

const distance = (one: Thresholds, other: Thresholds): number =>
  Math.abs(one.covered - other.covered) +
  Math.abs(one.partial - other.partial) +
  Math.abs(one.contradicted - other.contradicted);

/** The thresholds with the lowest error; ties go to those closest to the current ones. */
function findBest(examples: readonly Example[], inUse: Thresholds): Thresholds {
  const sumOf = (thresholds: Thresholds) => examples.reduce((sum, example) => sum + errorOf(example, thresholds), 0);
  let best = { thresholds: inUse, error: sumOf(inUse), distance: 0 };
  for (const contradicted of steps) {
    for (const partial of steps) {
      for (const covered of steps.filter((step) => step >= partial)) {
        const thresholds = { covered, partial, contradicted };
        const one = { thresholds, error: sumOf(thresholds), distance: distance(thresholds, inUse) };
        const isNearer = Math.abs(one.error - best.error) <= leastDifference && one.distance < best.distance;
        if (one.error < best.error - leastDifference || isNearer) best = one;
      }
    }
  }
  return best.thresholds;
}

/**
 * Fits thresholds to half of the examples, and evaluates them on the other half.
 * @returns null if either half has too few examples
 */
export function fitThresholds(examples: readonly Example[], inUse: Thresholds): ThresholdFit | null {
  const heldOut = examples.filter(isHeldOut);
  const fittedTo = examples.filter((example) => !isHeldOut(example));
  if (Math.min(heldOut.length, fittedTo.length) < leastInHalf) return null;
  const thresholds = findBest(fittedTo, inUse);
  const errorOnHeldOut = (tried: Thresholds) => meanOf(heldOut.map((example) => errorOf(example, tried)));
  const before = errorOnHeldOut(inUse);
  const after = errorOnHeldOut(thresholds);
  const isBetter = after < before - leastDifference;
  return { thresholds, fittedTo: fittedTo.length, heldOut: heldOut.length, before, after, isBetter };
}
