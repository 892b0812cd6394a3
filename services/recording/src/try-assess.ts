import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Assessor } from './engines/assessor.ts';
import { createReferenceAssessor } from './engines/reference/reference-assessor.ts';
import { createAssessor, parseEngineSettings } from './engines/registry.ts';
import { agreementReport, type Judged } from './grading/agreement-report.ts';
import { type GradedAnswer, readGradedAnswers } from './grading/graded-answers.ts';
import { foldModels } from './grading/graded-examples.ts';

const usage = `Usage: npm run assess -- FILE.csv [--folds N]
The columns are id, question, reference_answer, student_answer and score.
With --folds N the reference engine is fitted N times. Each time it leaves out a part of the questions, and judges that part.
`;
const leastFolds = 2;

const print = (text: string) => process.stdout.write(text);

async function judge(assessor: Assessor, answer: GradedAnswer): Promise<Judged> {
  const began = performance.now();
  const { correctnessPercentage } = await assessor.assess({
    question: answer.question,
    transcript: answer.student_answer,
    words: [],
    expertAnswer: answer.reference_answer || undefined,
    signal: new AbortController().signal,
  });
  print(`${answer.id},${answer.score},${correctnessPercentage ?? ''}\n`);
  const spentMs = performance.now() - began;
  return { question: answer.question, score: answer.score, percentage: correctnessPercentage, spentMs };
}

async function assessFile(path: string): Promise<Judged[]> {
  const assessor = await createAssessor(parseEngineSettings(process.env));
  const judged: Judged[] = [];
  for (const answer of await readGradedAnswers(path)) judged.push(await judge(assessor, answer));
  return judged;
}

async function assessInFolds(path: string, folds: number): Promise<Judged[]> {
  const answers = await readGradedAnswers(path);
  const models = foldModels(answers, folds);
  const judged: Judged[] = [];
  for (const [index, answer] of answers.entries())
    judged.push(await judge(createReferenceAssessor(models[index]), answer));
  return judged;
}

function readArguments(): { path: string; folds: number | null } | null {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { folds: { type: 'string' } } });
    const folds = values.folds === undefined ? null : Number(values.folds);
    const [path, ...others] = positionals;
    if (!path || others.length > 0) return null;
    return folds === null || (Number.isInteger(folds) && folds >= leastFolds) ? { path, folds } : null;
  } catch {
    return null;
  }
}

const given = readArguments();
if (!given) {
  process.stderr.write(usage);
  process.exit(2);
}
try {
  print('id,score,percentage\n');
  const judged = await (given.folds === null ? assessFile(given.path) : assessInFolds(given.path, given.folds));
  print(agreementReport(judged));
} catch (error) {
  const reason =
    error instanceof z.ZodError
      ? `A row lacks what is needed:\n${z.prettifyError(error)}`
      : error instanceof Error
        ? error.message
        : String(error);
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}
