import type { ExpertPoint } from '@interview-prep/contracts/expert-points';
import type { SessionKind } from '@interview-prep/contracts/recordings';
import { expertPointsField } from '@interview-prep/kit/expert-points-field';
import { Schema } from 'mongoose';

/** A copy of one of catalog's sets. A practice set's model answers are its `expertAnswers`. */
export interface SetCopy {
  _id: string;
  kind: SessionKind;
  title: string;
  technology: string;
  technologySlug: string;
  questions: string[];
  expertAnswers: string[];
  /** Parallel to `questions`; absent in a copy of what was published without them. */
  expertPoints?: ExpertPoint[][] | undefined;
  /** Terms that answers are likely to contain, and what is spoken; absent where catalog did not say. */
  vocabulary?: string[] | undefined;
  language?: string | undefined;
  /** The questions as `questionKey` makes them comparable, parallel to `questions`. */
  questionKeys: string[];
  /** The set's `updatedAt` in catalog; absent in copies from events of the first releases. */
  updatedAt?: Date | undefined;
  deletedAt: Date | null;
  revision: number;
}

export const setCopySchema = new Schema<SetCopy>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    title: String,
    technology: String,
    technologySlug: String,
    questions: [String],
    expertAnswers: [String],
    expertPoints: expertPointsField,
    vocabulary: { type: [String], default: undefined },
    language: String,
    questionKeys: [String],
    updatedAt: Date,
    deletedAt: { type: Date, default: null },
    revision: { type: Number, required: true },
  },
  { collection: 'sets', versionKey: false },
);
setCopySchema.index({ questionKeys: 1 });
