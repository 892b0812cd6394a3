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
  /** Parallel to `questions`; absent in copies and sessions from before sets had points. */
  expertPoints?: ExpertPoint[][] | undefined;
  /** Terms that answers are likely to contain; absent where the set has none. */
  vocabulary?: string[] | undefined;
  /** ISO 639-1: what is spoken; absent where the set does not say. */
  language?: string | undefined;
  /** Whether interviews with it ask follow-up questions; absent where they do not. */
  asksFollowUps?: boolean | undefined;
  /** How many seconds an answer should take about; absent where the set does not say. */
  lengthHintSeconds?: number | undefined;
  /** The questions as `questionKey` makes them comparable, parallel to `questions`. */
  questionKeys: string[];
  /** The set's `updatedAt` in catalog; absent in copies from events of the first releases. */
  updatedAt?: Date | undefined;
  deletedAt: Date | null;
  revision: number;
}

/** The part of a set that a session copies. */
export type SetContent = Pick<
  SetCopy,
  'title' | 'technology' | 'questions' | 'expertAnswers' | 'expertPoints' | 'asksFollowUps' | keyof AnswerSettings
>;

/** What a set says about the answers to its questions. */
export type AnswerSettings = Pick<SetCopy, 'vocabulary' | 'language' | 'lengthHintSeconds'>;

/** The settings of a set; those that it does not have are left out. */
export function answerSettings({ vocabulary, language, lengthHintSeconds }: AnswerSettings): AnswerSettings {
  return {
    ...(vocabulary ? { vocabulary } : {}),
    ...(language ? { language } : {}),
    ...(lengthHintSeconds ? { lengthHintSeconds } : {}),
  };
}

/** Schema paths of `SetContent`. */
export const setContentFields = {
  title: String,
  technology: String,
  questions: [String],
  expertAnswers: [String],
  expertPoints: expertPointsField,
  vocabulary: { type: [String], default: undefined },
  language: String,
  asksFollowUps: Boolean,
  lengthHintSeconds: Number,
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
