import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { pointShares, stateOf } from '@interview-prep/contracts/recording/point-states';
import type { Point } from '@interview-prep/contracts/recording/recordings';
import { CsvError, parse } from 'csv-parse';
import { z } from 'zod';
import type { Assessor } from './engines/assessor.ts';
import { createAssessor, parseEngineSettings } from './engines/registry.ts';
import { meanOf, pearson, rootMeanSquareError, spearman } from './grading/agreement.ts';
import { type LabeledQuestion, MalformedInput, readLabeledQuestions } from './grading/labeled-answers.ts';
import { type JudgedAnswer, pointsReport } from './grading/points-report.ts';

/** An answer graded by humans and judged by an engine. */
interface Judged {
  question: string;
  score: number;
  /** 0–100; null if left unscored. */
  percentage: number | null;
  spentMs: number;
}

const questionMaxLength = 60;

const figure = (value: number | null): string => (value === null ? 'cannot be computed' : value.toFixed(4));

/** An answer graded by humans. */
const GradedAnswer = z.object({
  id: z.string(),
  question: z.string(),
  reference_answer: z.string(),
  student_answer: z.string(),
  score: z.string().trim().min(1).pipe(z.coerce.number()),
});
type GradedAnswer = z.infer<typeof GradedAnswer>;

/**
 * Reads a CSV with the columns id, question, reference_answer, student_answer and score.
 * @throws MalformedInput for an incomplete row, Error if the file can't be read
 */
async function readGradedAnswers(path: string): Promise<GradedAnswer[]> {
  const answers: GradedAnswer[] = [];
  const rows = parse({ columns: true, bom: true, skip_empty_lines: true, trim: true, info: true });
  await pipeline(
    createReadStream(path),
    rows,
    async (records: AsyncIterable<{ record: unknown; info: { lines: number } }>) => {
      for await (const { record, info } of records) {
        const parsed = GradedAnswer.safeParse(record);
        if (!parsed.success) {
          const [issue] = parsed.error.issues;
          throw new MalformedInput(`Line ${info.lines}: ${issue?.path.join('.')}: ${issue?.message}`);
        }
        answers.push(parsed.data);
      }
    },
  );
  return answers;
}

/**
 * Judges the answers to a question.
 * @param onAnswer receives the points of each answer, with its zero-based index
 * @throws what the assessor throws
 */
async function judgeLabelled(
  assessor: Assessor,
  { question, points, answers }: LabeledQuestion,
  onAnswer: (answer: number, points: readonly Point[]) => void = () => undefined,
): Promise<JudgedAnswer[]> {
  const judged: JudgedAnswer[] = [];
  for (const [index, { style, text, labels }] of answers.entries()) {
    const verdict = await assessor.assess({
      question,
      transcript: text,
      words: [],
      points: points.map((point) => ({ text: point, weight: 1, acceptedWordings: [], optional: false })),
      signal: new AbortController().signal,
    });
    onAnswer(index, verdict.points);
    judged.push({
      style,
      points: labels.map((label, at) => {
        const point = verdict.points[at];
        return { label, credit: point ? pointShares[stateOf(point)] : 0, made: point?.made ?? null };
      }),
    });
  }
  return judged;
}

const usage = `Usage: npm run assess -- FILE
FILE.csv has the columns id, question, reference_answer, student_answer and score.
FILE.jsonl has questions with points and answers that are labeled point by point, one object a line:
{"id", "question", "points": […], "answers": [{"style", "text", "labels": [1, 0.5, 0 or -1 for each point]}]}
`;

const print = (text: string) => process.stdout.write(text);
const csvCell = (value: unknown) =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

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

async function assessGraded(path: string, assessor: Assessor): Promise<string> {
  const answers = await readGradedAnswers(path);
  print('id,score,percentage\n');
  const judged: Judged[] = [];
  for (const answer of answers) judged.push(await judge(assessor, answer));
  return agreementReport(judged);
}

async function assessLabelled(path: string, assessor: Assessor): Promise<string> {
  // Read the whole file first, so that a malformed file is rejected before anything is judged.
  const questions: LabeledQuestion[] = [];
  for await (const question of readLabeledQuestions(path)) questions.push(question);
  print('question,answer,point,state,credit,made,contradicted,quote\n');
  const judged: JudgedAnswer[] = [];
  for (const question of questions)
    judged.push(
      ...(await judgeLabelled(assessor, question, (answer, points) => {
        for (const [index, point] of points.entries()) {
          const { made = '', contradicted = '', evidence } = point;
          const state = stateOf(point);
          const cells = [question.id, answer, index, state, pointShares[state], made, contradicted, evidence];
          print(`${cells.map(csvCell).join(',')}\n`);
        }
      })),
    );
  return pointsReport(judged);
}

const [path, ...others] = process.argv.slice(2);
if (!path || path.startsWith('-') || others.length > 0) {
  process.stderr.write(usage);
  process.exit(2);
}
const assessor = await createAssessor(parseEngineSettings(process.env));
try {
  print(await (path.endsWith('.jsonl') ? assessLabelled : assessGraded)(path, assessor));
} catch (error) {
  const isMalformed = error instanceof MalformedInput || error instanceof CsvError;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = isMalformed ? 2 : 1;
} finally {
  assessor.close?.();
}

function byQuestion(judged: readonly (Judged & { percentage: number })[], best: number): string[] {
  const rows = [...Map.groupBy(judged, ({ question }) => question)].map(([question, answers]) => {
    const percentages = answers.map(({ percentage }) => percentage);
    const scores = answers.map(({ score }) => (100 * score) / best);
    const columns = [
      String(answers.length).padStart(7),
      meanOf(scores).toFixed(0).padStart(6),
      meanOf(percentages).toFixed(0).padStart(6),
      (pearson(percentages, scores)?.toFixed(2) ?? '-').padStart(7),
      rootMeanSquareError(percentages, scores).toFixed(1).padStart(6),
    ];
    return `${columns.join(' ')}  ${question.slice(0, questionMaxLength)}`;
  });
  return ['answers  score judged pearson   RMSE  question', ...rows];
}

/**
 * The agreement of an engine with human graders: correlations, the root mean square error in percentage points (the highest score of
 * the file counts as 100%), and the same for each question.
 */
function agreementReport(all: readonly Judged[]): string {
  const judged = all.flatMap((one) => (one.percentage === null ? [] : [{ ...one, percentage: one.percentage }]));
  const unscored = all.length - judged.length;
  const lines = [`answers judged: ${judged.length}${unscored > 0 ? `, left unscored: ${unscored}` : ''}`];
  if (judged.length > 0) {
    const percentages = judged.map(({ percentage }) => percentage);
    const scores = judged.map(({ score }) => score);
    const best = Math.max(1, ...scores);
    lines.push(
      `time per answer: ${meanOf(judged.map(({ spentMs }) => spentMs)).toFixed(2)} ms`,
      `Pearson correlation: ${figure(pearson(percentages, scores))}`,
      `Spearman correlation: ${figure(spearman(percentages, scores))}`,
      `RMSE: ${rootMeanSquareError(
        percentages,
        scores.map((score) => (100 * score) / best),
      ).toFixed(2)} percentage points (score ${best} as 100%)`,
      '',
      ...byQuestion(judged, best),
    );
  } else lines.push('Pearson correlation: cannot be computed');
  return `${lines.join('\n')}\n`;
}
