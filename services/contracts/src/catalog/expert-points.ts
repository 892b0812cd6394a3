import { z } from 'zod';
import { requiredText } from '../api/fields.ts';

/** The longest text of a point, and of an accepted wording, in characters. */
export const pointMaxLength = 1000;
/** How many accepted wordings a point can have. */
export const wordingsMax = 20;

/** How many points an expert answer can have. */
export const expertPointsMax = 40;

/** One point of an expert answer: what an answer is judged by. */
export const ExpertPoint = z.object({
  text: requiredText('Point', pointMaxLength),
  /** How much the point counts beside the others: only the ratio between weights matters. */
  weight: z.number('Weight is required').positive('A weight must be above zero').max(100).default(1),
  /** Other wordings that make the point as well as its own text does. */
  acceptedWordings: z.array(requiredText('Wording', pointMaxLength)).max(wordingsMax).default([]),
  /** An optional point adds to the percentage where it is made, and costs nothing where it is missing. */
  optional: z.boolean().default(false),
});
export type ExpertPoint = z.infer<typeof ExpertPoint>;
