import { z } from 'zod';
import { requiredText } from '../api/fields.ts';

/** Maximum length of a point and of an accepted wording, in characters. */
export const pointMaxLength = 1000;
/** Maximum number of accepted wordings per point. */
export const wordingsMax = 20;

/** Maximum number of points per expert answer. */
export const expertPointsMax = 40;

/** One point of an expert answer: the unit that answers are judged by. */
export const ExpertPoint = z.object({
  text: requiredText('Point', pointMaxLength),
  /** The point's relative weight: only ratios between weights matter. */
  weight: z.number('Weight is required').positive('A weight must be above zero').max(100).default(1),
  /** Alternative wordings that earn the point just as its own text does. */
  acceptedWordings: z.array(requiredText('Wording', pointMaxLength)).max(wordingsMax).default([]),
  /** An optional point adds to the percentage if it is made, and costs nothing if it is missing. */
  optional: z.boolean().default(false),
});
export type ExpertPoint = z.infer<typeof ExpertPoint>;
