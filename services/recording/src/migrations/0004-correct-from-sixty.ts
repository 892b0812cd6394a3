import type { Migration } from '@interview-prep/kit/mongo/migrations';

/**
 * `isCorrect` was true from 50%, while screens called answers correct from 60%. Verdicts in between now match the
 * screens. History gets each change as a new revision.
 */
export const correctFromSixty: Migration = {
  name: '0004-correct-from-sixty',
  async up(database) {
    const between = { $gte: 50, $lt: 60 };
    await database
      .collection('recordings')
      .updateMany(
        { isCorrect: true, correctnessPercentage: between },
        { $set: { isCorrect: false, unpublished: true }, $inc: { revision: 1 } },
      );
  },
};
