import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** A human label for a point in an answer: made, half made, not mentioned, or contradicted. */
const Label = z.union([z.literal(1), z.literal(0.5), z.literal(0), z.literal(-1)]);

/** A question with its points, and answers labeled point by point by a human. */
const LabeledQuestion = z
  .object({
    id: z.string().min(1),
    question: z.string().min(1),
    points: z.array(z.string().min(1)).min(1),
    answers: z.array(z.object({ style: z.string().default(''), text: z.string(), labels: z.array(Label) })).min(1),
  })
  .superRefine(({ points, answers }, context) => {
    for (const [index, { labels }] of answers.entries())
      if (labels.length !== points.length)
        context.addIssue({
          code: 'custom',
          path: ['answers', index, 'labels'],
          message: `there are ${labels.length} labels for ${points.length} points`,
        });
  });
export type LabeledQuestion = z.infer<typeof LabeledQuestion>;

/** A line of input that cannot be used. `message` names the line and the reason. */
export class MalformedInput extends Error {
  override readonly name = 'MalformedInput';
}

function parseLine(line: string, number: number): LabeledQuestion {
  const fail = (reason: string) => new MalformedInput(`Line ${number}: ${reason}`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw fail(error instanceof Error ? error.message : 'not JSON');
  }
  const parsed = LabeledQuestion.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw fail([issue?.path.join('.'), issue?.message].filter(Boolean).join(': '));
}

/**
 * Reads a JSON Lines file of labeled questions; blank lines are skipped.
 * @throws MalformedInput, or Error if the file can't be read
 */
export async function* readLabeledQuestions(path: string): AsyncGenerator<LabeledQuestion> {
  let number = 0;
  for await (const line of createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number += 1;
    if (line.trim() !== '') yield parseLine(line, number);
  }
}
