import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { findDamage } from '../shipped-file.ts';

/** The folder of the judge's model: weights, vocabulary and metadata. */
export const modelFolder = new URL('../../../models/point-judge/', import.meta.url);

const probability = z.number().min(0).max(1);
/** Weights of a logistic function, by the names of its features; see `figuresOf`. */
const Weights = z.strictObject({ support: z.number(), contradicted: z.number(), constant: z.number() });

/** Metadata fitted to these weights; no other code depends on the choice of weights. */
const ModelInfo = z.strictObject({
  /** Shown as part of the engine's name. */
  name: z.string().startsWith('point-judge'),
  sizeBytes: z.int().positive(),
  sha256: z.string(),
  made: Weights,
  /** In short answers, word overlap counts too. */
  madeInShort: Weights.extend({ said: z.number() }),
  contradicted: Weights,
  /** Answers up to `shortUpTo` words are short, from `longFrom` on long; those contradicted by at least `deniedFrom` count as long. */
  answerWords: z.strictObject({ shortUpTo: z.number(), longFrom: z.number(), deniedFrom: probability }),
  /** See `Thresholds`. */
  thresholds: z.strictObject({ covered: probability, partial: probability, contradicted: probability }),
  /** How far below and above its thresholds a figure must lie for the judge to be sure. */
  unsure: z.strictObject({ below: probability, above: probability }),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

/** @throws Error if the file is missing or malformed */
export const modelInfo: ModelInfo = ModelInfo.parse(
  JSON.parse(readFileSync(new URL('point-judge.json', modelFolder), 'utf8')),
);

/** Why the judge's model can't be used, in a sentence; null if it can. */
export function findModelProblem(): Promise<string | null> {
  const path = fileURLToPath(new URL('point-judge.onnx', modelFolder));
  return findDamage("The judge's model", { ...modelInfo, path });
}
