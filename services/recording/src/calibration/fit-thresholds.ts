import { createHash } from 'node:crypto';
import { pointShares } from '@interview-prep/contracts/recording/point-states';
import type { PointState } from '@interview-prep/contracts/recording/recordings';
import { type PointFigures, stateByFigures, type Thresholds } from '../engines/thresholds.ts';
import { meanOf } from '../grading/agreement.ts';

/** A point with what the judge's model says of it, and the state that a person gave it. */
export interface Example extends PointFigures {
  recordingId: string;
  state: PointState;
}

/** Thresholds that suit one half of the examples best, and how they do on the other half. */
interface ThresholdFit {
  thresholds: Thresholds;
  fittedTo: number;
  heldOut: number;
  /** Mean distance of a point's credit from people's on the held-out half, 0–1: by the thresholds in use, by the new ones. */
  before: number;
  after: number;
  /** Better there. */
  isBetter: boolean;
}

/** Fewer examples on either half show nothing. */
const leastInHalf = 10;
const steps = Array.from({ length: 19 }, (_, index) => Number(((index + 1) * 0.05).toFixed(2)));
/** Differences below this come from rounding. */
const leastDifference = 1e-9;

/** By the recording, since points of one answer are alike. */
const isHeldOut = ({ recordingId }: Example): boolean =>
  (createHash('sha256').update(recordingId).digest()[0]! & 1) === 1;

/** How far the credit is from the person's, 0–1. */
const errorOf = (example: Example, thresholds: Thresholds): number =>
  Math.abs(pointShares[stateByFigures(example, thresholds)] - pointShares[example.state]);

const distance = (one: Thresholds, other: Thresholds): number =>
  Math.abs(one.covered - other.covered) +
  Math.abs(one.partial - other.partial) +
  Math.abs(one.contradicted - other.contradicted);

/** The thresholds with the least error; among equals, those nearest to the ones in use. */
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
 * Fits thresholds to half of the examples, and tries them on the other half.
 * @returns null where one half has too few examples
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
