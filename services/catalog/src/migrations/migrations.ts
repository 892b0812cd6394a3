import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { choosePoints } from '../sets/choose-points.ts';

interface StoredSet {
  answers: string[];
  expertPoints?: ExpertPoint[][];
  unpublished?: boolean;
  revision: number;
}

/** Derives the points of every set's answers, and has the sets published with them. */
const deriveExpertPoints: Migration = {
  name: '0001-derive-expert-points',
  async up(database) {
    const sets = database.collection<StoredSet>('sets');
    for await (const { _id, answers } of sets.find({ expertPoints: { $exists: false } })) {
      // The filter keeps a second run from a second revision.
      await sets.updateOne(
        { _id, expertPoints: { $exists: false } },
        { $set: { expertPoints: choosePoints(answers), unpublished: true }, $inc: { revision: 1 } },
      );
    }
  },
};

/** Sets from before there were drafts are published. */
const publishSets: Migration = {
  name: '0002-publish-sets',
  async up(database) {
    await database.collection('sets').updateMany({ status: { $exists: false } }, { $set: { status: 'published' } });
  },
};

/** Every change that the database's layout has seen, oldest first. A released one is never edited, renamed or removed. */
export const migrations: readonly Migration[] = [deriveExpertPoints, publishSets];
