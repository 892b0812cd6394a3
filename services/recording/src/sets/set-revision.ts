import { expertPointsField } from '@interview-prep/kit/expert-points-field';
import { isDuplicateKey } from '@interview-prep/kit/mongo';
import { type Model, Schema, trusted } from 'mongoose';
import type { SetCopy } from './model.ts';

/** What a session takes over from the set of which it is. */
export type SetContent = Pick<SetCopy, 'title' | 'technology' | 'questions' | 'expertAnswers' | 'expertPoints'>;

/** A set as it was before an edit or its deletion, for those who were shown it so and have not answered yet. */
export interface SetRevision extends SetContent {
  /** Set and revision. */
  _id: string;
  setId: string;
  revision: number;
  updatedAt: Date;
  replacedAt: Date;
}

/** Someone who began before a set was edited or deleted may take this long to send a first answer. */
export const graceMs = 24 * 60 * 60 * 1000;
/** Of each set no more than its latest are kept. */
const maxRevisions = 10;

export const setRevisionSchema = new Schema<SetRevision>(
  {
    _id: { type: String, required: true },
    setId: { type: String, required: true },
    revision: { type: Number, required: true },
    title: String,
    technology: String,
    questions: [String],
    expertAnswers: [String],
    expertPoints: expertPointsField,
    updatedAt: { type: Date, required: true },
    replacedAt: { type: Date, required: true },
  },
  { collection: 'setRevisions', versionKey: false },
);
setRevisionSchema.index({ setId: 1, revision: -1 });
setRevisionSchema.index({ replacedAt: 1 });

/** Keeps a revision that has been replaced, and removes what is too old or too many. Doing it twice is harmless. */
export async function saveSetRevision(
  setId: string,
  { revision, updatedAt, ...rest }: SetContent & Pick<SetCopy, 'revision' | 'updatedAt'>,
  setRevisions: Model<SetRevision>,
): Promise<void> {
  // Nobody could name it.
  if (updatedAt === undefined) return;
  const { title, technology, questions, expertAnswers, expertPoints } = rest;
  const $setOnInsert = {
    ...{ setId, revision, updatedAt, title, technology, questions, expertAnswers, expertPoints },
    replacedAt: new Date(),
  };
  try {
    await setRevisions.updateOne({ _id: `${setId}-${revision}` }, { $setOnInsert }, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const tooMany = await setRevisions.find({ setId }, { _id: 1 }).sort({ revision: -1 }).skip(maxRevisions).lean();
  await setRevisions.deleteMany({ _id: trusted({ $in: tooMany.map(({ _id }) => _id) }) });
  await setRevisions.deleteMany({ replacedAt: trusted({ $lt: new Date(Date.now() - graceMs) }) });
}

/** The revision that catalog showed with this time, where it was replaced within the last day; else null. */
export function findSetRevision(
  setId: string,
  updatedAt: Date,
  setRevisions: Model<SetRevision>,
): Promise<SetRevision | null> {
  return setRevisions
    .findOne({ setId, updatedAt, replacedAt: trusted({ $gte: new Date(Date.now() - graceMs) }) })
    .sort({ revision: -1 })
    .lean<SetRevision>();
}
