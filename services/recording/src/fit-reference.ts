import { writeFileSync } from 'node:fs';
import { fitScore } from './engines/reference/fit-score.ts';
import { caseExamples } from './grading/case-examples.ts';
import { readGradedAnswers } from './grading/graded-answers.ts';
import { gradedExamples, strayExamples } from './grading/graded-examples.ts';
import { seedExamples } from './grading/seed-examples.ts';

const target = new URL('engines/reference/score-model.json', import.meta.url);

/** Fits the reference engine's curves to graded answers and to the repository's own cases, and writes them down. */
const [path, ...others] = process.argv.slice(2);
if (!path || others.length > 0) {
  process.stderr.write(
    'Usage: node services/recording/src/fit-reference.ts GRADED.csv\nThe columns are id, question, reference_answer, student_answer and score.\n',
  );
  process.exit(2);
}
const answers = await readGradedAnswers(path);
const examples = [...gradedExamples(answers), ...strayExamples(answers), ...caseExamples(), ...seedExamples()];
writeFileSync(target, `${JSON.stringify(fitScore(examples), null, 2)}\n`);
process.stdout.write(`fitted to ${examples.length} answers, ${answers.length} of them graded by people\n`);
