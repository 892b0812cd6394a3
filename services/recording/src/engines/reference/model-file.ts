import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { findDamage } from '../shipped-file.ts';

/** The folder of the judge's model: weights, word pieces, and what belongs to these weights. */
export const modelFolder = new URL('../../../models/point-judge/', import.meta.url);

const probability = z.number().min(0).max(1);
/** Weights of a logistic function, by the names of its features; see `figuresOf`. */
const Weights = z.strictObject({ support: z.number(), contradicted: z.number(), constant: z.number() });

/** What comes with the weights and was fitted to them: nothing else depends on which weights these are. */
const ModelInfo = z.strictObject({
  /** Shown as part of the engine's name. */
  name: z.string().startsWith('point-judge'),
  sizeBytes: z.int().positive(),
  sha256: z.string(),
  made: Weights,
  /** In a short answer the words that were said count as well. */
  madeInShort: Weights.extend({ said: z.number() }),
  contradicted: Weights,
  /** Answers of at most so many words are short, of so many long; contradicted to at least `deniedFrom`, all count as long. */
  answerWords: z.strictObject({ shortUpTo: z.number(), longFrom: z.number(), deniedFrom: probability }),
  /** See `Thresholds`. */
  thresholds: z.strictObject({ covered: probability, partial: probability, contradicted: probability }),
  /** How far below and above its thresholds a figure must lie for the judge to be sure. */
  unsure: z.strictObject({ below: probability, above: probability }),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

/** @throws Error where the file is missing or malformed */
export const modelInfo: ModelInfo = ModelInfo.parse(
  JSON.parse(readFileSync(new URL('point-judge.json', modelFolder), 'utf8')),
);

/** Why the judge's model cannot be used, in a sentence; null where it can. */
export function findModelProblem(): Promise<string | null> {
  const path = fileURLToPath(new URL('point-judge.onnx', modelFolder));
  return findDamage("The judge's model", { ...modelInfo, path });
}
