import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { choosePoints } from '../sets/choose-points.ts';

interface StoredSet {
  answers: string[];
  expertPoints?: ExpertPoint[][];
  unpublished?: boolean;
  revision: number;
}

/** Derives the points of every set's answers, and marks the sets for republishing. */
export const deriveExpertPoints: Migration = {
  name: '0001-derive-expert-points',
  async up(database) {
    const sets = database.collection<StoredSet>('sets');
    for await (const { _id, answers } of sets.find({ expertPoints: { $exists: false } })) {
      // The filter makes a second run a no-op.
      await sets.updateOne(
        { _id, expertPoints: { $exists: false } },
        { $set: { expertPoints: choosePoints(answers), unpublished: true }, $inc: { revision: 1 } },
      );
    }
  },
};
