import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { z } from 'zod';

/** An answer that people have graded. */
const GradedAnswer = z.object({
  id: z.string(),
  question: z.string(),
  reference_answer: z.string(),
  student_answer: z.string(),
  score: z.coerce.number(),
});
export type GradedAnswer = z.infer<typeof GradedAnswer>;

/**
 * Reads a CSV with the columns id, question, reference_answer, student_answer and score.
 * @throws ZodError where a column is missing, Error where the file cannot be read
 */
export async function readGradedAnswers(path: string): Promise<GradedAnswer[]> {
  const answers: GradedAnswer[] = [];
  const rows = parse({ columns: true, bom: true, skip_empty_lines: true, trim: true });
  await pipeline(createReadStream(path), rows, async (records: AsyncIterable<unknown>) => {
    for await (const record of records) answers.push(GradedAnswer.parse(record));
  });
  return answers;
}

/** The best score that can be had: the highest one given, at least 1. */
export function bestScore(answers: readonly GradedAnswer[]): number {
  return Math.max(1, ...answers.map(({ score }) => score));
}
