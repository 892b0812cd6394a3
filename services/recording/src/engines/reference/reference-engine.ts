import type { Assessor } from '../assessor.ts';
import type { Engine } from '../define-engine.ts';
import { findModelProblem } from './model-file.ts';
import { createReferenceAssessor } from './reference-assessor.ts';

/** The built-in judge: compares with the expert's answer, offline. */
export const referenceEngine: Engine<Assessor> = {
  name: 'reference',
  findProblem: findModelProblem,
  create: (_settings, { readThresholds }) => createReferenceAssessor({ readThresholds }),
};
