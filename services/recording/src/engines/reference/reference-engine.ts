import type { Assessor } from '../assessor.ts';
import { defineEngine } from '../define-engine.ts';
import { findModelProblem } from './model-file.ts';
import { createReferenceAssessor } from './reference-assessor.ts';

/** The built-in judge: compares with the expert's answer, offline. */
export const referenceEngine = defineEngine<Record<never, never>, Assessor>({
  name: 'reference',
  settings: {},
  findProblem: findModelProblem,
  create: (_settings, { readThresholds }) => createReferenceAssessor({ readThresholds }),
});
