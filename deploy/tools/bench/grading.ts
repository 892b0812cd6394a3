import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@interview-prep/local/settings';
import type { Measure } from './measure.ts';

const script = join(REPOSITORY, 'services/recording/src/try-assess.ts');

/**
 * The correlation over a file of graded answers: columns id, question, reference_answer, student_answer, score. None is
 * shipped; docs/benchmarks.md has the figure of answers of the data set of Mohler, Bunescu and Mihalcea (ACL 2011) that
 * the model was not trained on.
 */
export function grading(file: string): Measure {
  return {
    what: 'correlation of the reference engine with human graders (Mohler et al., 2011)',
    unit: 'Pearson',
    limit: 0.5,
    atLeast: true,
    async run() {
      const env = { ...process.env, ASSESS_ENGINE: 'reference' };
      const { stdout } = await promisify(execFile)(process.execPath, [script, file], { env, maxBuffer: 2 ** 26 });
      const value = Number(/^Pearson correlation: (\S+)$/m.exec(stdout)?.[1]);
      return { value, from: `${/^answers judged: (\d+)/m.exec(stdout)?.[1]} answers` };
    },
  };
}
