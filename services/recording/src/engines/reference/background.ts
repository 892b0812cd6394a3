import { readFileSync } from 'node:fs';
import { dot, scaleToUnit, zeroVector } from './word-vectors.ts';

/** How many of the nearest other meanings are taken as what the answer might be about instead. */
const nearestCount = 3;
/** From this cosine on, a meaning is taken for the same expert answer, perhaps edited. Others are at most 0.78 alike. */
const sameFrom = 0.9;

/** Meanings of expert answers to many questions of the field, of unit length. */
function readBackground(): Float32Array[] {
  const bytes = readFileSync(new URL('background.i8', import.meta.url));
  const dimensions = zeroVector().length;
  const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: values.length / dimensions }, (_, row) =>
    scaleToUnit(Float32Array.from(values.subarray(row * dimensions, (row + 1) * dimensions))),
  );
}

/** Those of the questions that the product comes with. */
export const fieldBackground: readonly Float32Array[] = readBackground();

/** The direction that all talk in the field shares, of unit length: the mean of the background. */
export const commonDirection = scaleToUnit(
  fieldBackground.reduce((sum, meaning) => sum.map((value, at) => value + meaning[at]!), zeroVector()),
);

/** The background without what means nearly the same as `meaning`, of unit length. */
export function backgroundWithout(background: readonly Float32Array[], meaning: Float32Array): Float32Array[] {
  return background.filter((one) => dot(one, meaning) < sameFrom);
}

/**
 * The cosine of an answer with the expert's, less that with the nearest expert answers to other questions: talk about a
 * neighbouring subject is near to both. At most 1; below zero where another question is answered rather than this one.
 * @param answer of unit length, or zeros
 * @param expert of unit length
 */
export function contrastOf(
  answer: Float32Array,
  expert: Float32Array,
  background: readonly Float32Array[] = fieldBackground,
): number {
  const others = backgroundWithout(background, expert).map((meaning) => dot(meaning, answer));
  const nearest = others.toSorted((a, b) => b - a).slice(0, nearestCount);
  return dot(answer, expert) - nearest.reduce((sum, one) => sum + one, 0) / nearestCount;
}
