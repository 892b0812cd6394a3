import type { SetSnapshot } from '@interview-prep/contracts/snapshots';
import { isDuplicateKey } from '@interview-prep/kit/mongo';
import type { Model } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { SetCopy } from './model.ts';
import { questionKey } from './question-key.ts';
import { saveSetRevision } from './set-revision.ts';

/**
 * Takes over what catalog tells of a set, where it is newer than the copy. What is older, the copy so far or what has
 * come late, is kept for a while for those who were shown it.
 */
export async function keepSet(
  snapshot: SetSnapshot,
  { sets, setRevisions }: Pick<RecordingModels, 'sets' | 'setRevisions'>,
): Promise<void> {
  const { setId } = snapshot;
  const told = copyOf(snapshot);
  for (;;) {
    const current = await sets.findOne({ _id: setId }).lean<SetCopy>();
    if (current?.revision === told.revision) return;
    if (current && current.revision > told.revision) return saveSetRevision(setId, told, setRevisions);
    // First, so that a process which dies in between leaves no gap.
    if (current) await saveSetRevision(setId, current, setRevisions);
    if (await replace(current, told, sets)) return;
  }
}

const copyOf = ({ setId, updatedAt, deletedAt, ...rest }: SetSnapshot): SetCopy => ({
  ...rest,
  _id: setId,
  questionKeys: rest.questions.map(questionKey),
  ...(updatedAt === undefined ? {} : { updatedAt: new Date(updatedAt) }),
  deletedAt: deletedAt === null ? null : new Date(deletedAt),
});

/** Whether the copy was still the one that was looked at. */
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
