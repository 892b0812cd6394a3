import { replaceValue } from '@interview-prep/kit/mongo/migration-steps';
import type { Migration } from '@interview-prep/kit/mongo/migrations';

/** Marks old verdicts with the version of the built-in judge: up to release 0.1 it compared words. */
export const markVerdictsOfWordRules: Migration = {
  name: '0002-mark-verdicts-of-word-rules',
  async up(database) {
    const to = 'reference 0.1 (word rules)';
    await replaceValue(database, { collection: 'recordings', field: 'assessment.engine', from: 'reference', to });
  },
};
