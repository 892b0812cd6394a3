import type { Assessor } from '../assessor.ts';
import { defineEngine } from '../define-engine.ts';
import { createReferenceAssessor } from './reference-assessor.ts';

/** The built-in judge: compares with the expert's answer, offline. */
export const referenceEngine = defineEngine<Record<never, never>, Assessor>({
  name: 'reference',
  settings: {},
  create: () => createReferenceAssessor(),
});
