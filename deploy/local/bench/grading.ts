import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../src/settings.ts';
import type { Measure } from './measure.ts';

const folds = 5;
const script = join(REPOSITORY, 'services/recording/src/try-assess.ts');

/**
 * The correlation over a file of graded answers, each judged by what was fitted to other questions: columns id, question, reference_answer, student_answer, score. None is
 * shipped; the figure of docs/benchmarks.md is of the data set of Mohler, Bunescu and Mihalcea (ACL 2011).
 */
export function grading(file: string): Measure {
  return {
    what: 'correlation of the reference engine with human graders (Mohler et al., 2011)',
    unit: 'Pearson',
    limit: 0.6,
    atLeast: true,
    async run() {
      const env = { ...process.env, ASSESS_ENGINE: 'reference' };
      const { stdout } = await promisify(execFile)(process.execPath, [script, file, '--folds', String(folds)], {
        env,
        maxBuffer: 2 ** 26,
      });
      const value = Number(/^Pearson correlation: (\S+)$/m.exec(stdout)?.[1]);
      const answers = /^answers judged: (\d+)/m.exec(stdout)?.[1];
      return { value, from: `${answers} answers in ${folds} folds by question` };
    },
  };
}
