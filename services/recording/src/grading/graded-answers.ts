import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { z } from 'zod';
import { MalformedInput } from './labelled-answers.ts';

/** An answer that people have graded. */
const GradedAnswer = z.object({
  id: z.string(),
  question: z.string(),
  reference_answer: z.string(),
  student_answer: z.string(),
  score: z.string().trim().min(1).pipe(z.coerce.number()),
});
export type GradedAnswer = z.infer<typeof GradedAnswer>;

/**
 * Reads a CSV with the columns id, question, reference_answer, student_answer and score.
 * @throws MalformedInput where a row lacks what is needed, Error where the file cannot be read
 */
export async function readGradedAnswers(path: string): Promise<GradedAnswer[]> {
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
