import type { ExpertPoint } from '@interview-prep/contracts/expert-points';
import { Schema } from 'mongoose';

const expertPoint = new Schema<ExpertPoint>(
  {
    text: { type: String, required: true },
    weight: { type: Number, required: true },
    acceptedWordings: { type: [String], required: true },
    optional: { type: Boolean, required: true },
  },
  { _id: false },
);

/** Schema path of `ExpertPoint[][]`, one list for each question; absent where nothing was stored. */
export const expertPointsField = { type: [[expertPoint]], default: undefined };
