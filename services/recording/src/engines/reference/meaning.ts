import { commonDirection } from './background.ts';
import type { Token } from './token.ts';
import { dot, scaleToUnit, zeroVector } from './word-vectors.ts';

/** Words of the question count this much of their weight: repeating it earns little. */
export const askedShare = 0.3;

/** What some tokens say together, as one vector of unit length: the weighted sum of their vectors. */
export function meaningOf(tokens: readonly Token[], asked: ReadonlySet<string>): Float32Array {
  const sum = zeroVector();
  for (const { vector, weight, stem } of tokens) {
    if (!vector) continue;
    const share = weight * (asked.has(stem) ? askedShare : 1);
    for (let at = 0; at < sum.length; at++) sum[at]! += share * vector[at]!;
  }
  return scaleToUnit(sum);
}

/** What is left of two meanings' likeness, 0–1, without what all talk about software shares. */
export function specificLikeness(a: Float32Array, b: Float32Array): number {
  const [sharedA, sharedB] = [dot(a, commonDirection), dot(b, commonDirection)];
  const lengths = Math.sqrt((1 - sharedA ** 2) * (1 - sharedB ** 2));
  return lengths > 0 ? Math.max(0, (dot(a, b) - sharedA * sharedB) / lengths) : 0;
}
