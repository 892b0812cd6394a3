import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { type SetOptions, setOptionsOf } from '@interview-prep/contracts/catalog/sets';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { expertPointsField, setOptionFields } from '@interview-prep/kit/mongo/set-fields';
import { Schema } from 'mongoose';

/** A copy of one of catalog's sets. `expertAnswers` also holds a practice set's model answers. */
export interface SetCopy extends SetOptions {
  _id: string;
  kind: SessionKind;
  title: string;
  technology: string;
  technologySlug: string;
  questions: string[];
  expertAnswers: string[];
  /** Parallel to `questions`; absent in copies and sessions from before sets had points. */
  expertPoints?: ExpertPoint[][] | undefined;
  /** The questions normalized by `questionKey`, parallel to `questions`. */
  questionKeys: string[];
  /** The set's `updatedAt` in catalog; absent in copies from the first releases. */
  updatedAt?: Date | undefined;
  deletedAt: Date | null;
  revision: number;
}

/** The part of a set that a session copies. */
export type SetContent = Pick<SetCopy, 'title' | 'technology' | 'questions' | 'expertAnswers' | 'expertPoints'> &
  SetOptions;

/** The content of a set, without options that are off. */
export function contentOf({
  title,
  technology,
  questions,
  expertAnswers,
  expertPoints,
  ...set
}: SetContent): SetContent {
  return { title, technology, questions, expertAnswers, expertPoints, ...setOptionsOf(set) };
}

/** Schema paths of `SetContent`. */
export const setContentFields = {
  title: String,
  technology: String,
  questions: [String],
  expertAnswers: [String],
  expertPoints: expertPointsField,
  ...setOptionFields,
};

export const setCopySchema = new Schema<SetCopy>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    ...setContentFields,
    technologySlug: String,
    questionKeys: [String],
    updatedAt: Date,
    deletedAt: { type: Date, default: null },
    revision: { type: Number, required: true },
  },
  { collection: 'sets', versionKey: false },
);
setCopySchema.index({ questionKeys: 1 });
