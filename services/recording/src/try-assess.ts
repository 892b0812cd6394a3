import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { z } from 'zod';
import { pearson } from './engines/pearson.ts';
import { createAssessor, parseEngineSettings } from './engines/registry.ts';

const Row = z.object({
  id: z.string(),
  question: z.string(),
  reference_answer: z.string(),
  student_answer: z.string(),
  score: z.coerce.number(),
});

const assessFile = async (path: string): Promise<void> => {
  const assessor = createAssessor(parseEngineSettings(process.env));
  const { signal } = new AbortController();
  const percentages: number[] = [];
  const scores: number[] = [];
  let unscored = 0;
  let spentMs = 0;
  process.stdout.write('id,score,percentage\n');
  const assessRows = async (records: AsyncIterable<unknown>): Promise<void> => {
    for await (const record of records) {
      const row = Row.parse(record);
      const began = performance.now();
      const { correctnessPercentage } = await assessor.assess({
        question: row.question,
        transcript: row.student_answer,
        words: [],
        expertAnswer: row.reference_answer || undefined,
        signal,
      });
      spentMs += performance.now() - began;
      process.stdout.write(`${row.id},${row.score},${correctnessPercentage ?? ''}\n`);
      if (correctnessPercentage === null) unscored += 1;
      else {
        percentages.push(correctnessPercentage);
        scores.push(row.score);
      }
    }
  };
  const rows = parse({ columns: true, bom: true, skip_empty_lines: true, trim: true });
  await pipeline(createReadStream(path), rows, assessRows);
  const judged = percentages.length;
  process.stdout.write(`answers judged: ${judged}${unscored > 0 ? `, left unscored: ${unscored}` : ''}\n`);
  if (judged > 0) process.stdout.write(`time per answer: ${(spentMs / judged).toFixed(2)} ms\n`);
  const correlation = pearson(percentages, scores);
  process.stdout.write(
    `Pearson correlation: ${correlation === null ? 'cannot be computed' : correlation.toFixed(4)}\n`,
  );
};

const [path, ...others] = process.argv.slice(2);
if (!path || others.length > 0) {
  process.stderr.write(
    'Usage: npm run assess -- FILE.csv\nThe columns are id, question, reference_answer, student_answer and score.\n',
  );
  process.exit(2);
}
try {
  await assessFile(path);
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
