import type { SetSnapshot } from '@interview-prep/contracts/snapshots';
import { isDuplicateKey } from '@interview-prep/kit/mongo';
import { type Model, trusted } from 'mongoose';
import type { SetCopy } from './model.ts';
import { questionKey } from './question-key.ts';

/** Takes over what catalog tells of a set, where it is newer than the copy. */
export async function keepSet(snapshot: SetSnapshot, sets: Model<SetCopy>): Promise<void> {
  const { setId, deletedAt, ...rest } = snapshot;
  try {
    await sets.updateOne(
      { _id: setId, revision: trusted({ $lt: snapshot.revision }) },
      {
        $set: {
          ...rest,
          questionKeys: snapshot.questions.map(questionKey),
          deletedAt: deletedAt === null ? null : new Date(deletedAt),
        },
      },
      { upsert: true },
    );
  } catch (error) {
    // No older copy, so an insert was tried, and a newer copy stood in its way: nothing is to be done.
    if (!isDuplicateKey(error)) throw error;
  }
}
