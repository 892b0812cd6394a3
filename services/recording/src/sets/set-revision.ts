import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { type Model, Schema, trusted } from 'mongoose';
import { contentOf, type SetContent, type SetCopy, setContentFields } from './model.ts';

/** A set before an edit or its deletion, for candidates who were shown it and have not answered yet. */
export type SetRevision = SetContent & {
  /** '<setId>-<revision>'. */
  _id: string;
  setId: string;
  revision: number;
  updatedAt: Date;
  replacedAt: Date;
};

/** How long a replaced revision is kept, and so how long a candidate may take for the first answer. */
export const graceMs = 24 * 60 * 60 * 1000;
/** The most revisions kept per set; the oldest are removed. */
const maxRevisions = 10;

export const setRevisionSchema = new Schema<SetRevision>(
  {
    _id: { type: String, required: true },
    setId: { type: String, required: true },
    revision: { type: Number, required: true },
    ...setContentFields,
    updatedAt: { type: Date, required: true },
    replacedAt: { type: Date, required: true },
  },
  { collection: 'setRevisions', versionKey: false },
);
setRevisionSchema.index({ setId: 1, revision: -1 });
setRevisionSchema.index({ replacedAt: 1 });

/** Stores a replaced revision, and prunes old ones. Idempotent. */
export async function saveSetRevision(
  setId: string,
  { revision, updatedAt, ...rest }: SetContent & Pick<SetCopy, 'revision' | 'updatedAt'>,
  setRevisions: Model<SetRevision>,
): Promise<void> {
  // Uploads look revisions up by `updatedAt`: without it, this one could never be found.
  if (updatedAt === undefined) return;
  const $setOnInsert = {
    setId,
    revision,
    updatedAt,
    ...contentOf(rest),
    replacedAt: new Date(),
  };
  const _id = `${setId}-${revision}`;
  await upsertById(() => setRevisions.updateOne({ _id }, { $setOnInsert }, { upsert: true }));
  const tooMany = await setRevisions.find({ setId }, { _id: 1 }).sort({ revision: -1 }).skip(maxRevisions).lean();
  await setRevisions.deleteMany({ _id: trusted({ $in: tooMany.map(({ _id }) => _id) }) });
  await setRevisions.deleteMany({ replacedAt: trusted({ $lt: new Date(Date.now() - graceMs) }) });
}

/** The revision with this `updatedAt`; null if there is none, or it was replaced more than a day ago. */
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
