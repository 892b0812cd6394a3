import type { SetSnapshot } from '@interview-prep/contracts/events/snapshots';
import { questionKey } from '@interview-prep/contracts/text/question-text';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Model } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { SetCopy } from './model.ts';
import { saveSetRevision } from './set-revision.ts';

/**
 * Stores a set that catalog published, if it is newer than the copy. The older of the two is kept for a day as a set
 * revision, for candidates who still have it on their screen.
 */
export async function applySet(
  snapshot: SetSnapshot,
  { sets, setRevisions }: Pick<RecordingModels, 'sets' | 'setRevisions'>,
): Promise<void> {
  const { setId } = snapshot;
  const published = copyOf(snapshot);
  for (;;) {
    const current = await sets.findOne({ _id: setId }).lean<SetCopy>();
    if (current?.revision === published.revision) return;
    if (current && current.revision > published.revision) return saveSetRevision(setId, published, setRevisions);
    // Save the revision before replacing the copy, so that a crash in between can't lose it.
    if (current) await saveSetRevision(setId, current, setRevisions);
    if (await replace(current, published, sets)) return;
    // Another process changed the copy: compare again.
  }
}

const copyOf = ({ setId, updatedAt, deletedAt, ...rest }: SetSnapshot): SetCopy => ({
  ...rest,
  _id: setId,
  questionKeys: rest.questions.map(questionKey),
  ...(updatedAt === undefined ? {} : { updatedAt: new Date(updatedAt) }),
  deletedAt: deletedAt === null ? null : new Date(deletedAt),
});

/** @returns false if another process has changed the copy in the meantime */
async function replace(current: SetCopy | null, { _id, ...rest }: SetCopy, sets: Model<SetCopy>): Promise<boolean> {
  if (current) {
    const { matchedCount } = await sets.replaceOne({ _id, revision: current.revision }, rest);
    return matchedCount === 1;
  }
  try {
    await sets.create({ _id, ...rest });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}
