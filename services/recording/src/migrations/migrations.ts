import { renameCollection, renameField, replaceValue } from '@interview-prep/kit/mongo/migration-steps';
import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { turnGuestReviewsIntoFeedback } from './0003-turn-guest-reviews-into-feedback.ts';

/** `claims` becomes `leaseVersion`, `away` becomes `outage`, `formerSets` becomes `setRevisions`. */
const renameLeasesAndOutages: Migration = {
  name: '0001-rename-leases-and-outages',
  async up(database) {
    await renameField(database, { collection: 'recordings', from: 'claims', to: 'leaseVersion' });
    await renameField(database, { collection: 'recordings', from: 'away', to: 'outage' });
    await renameCollection(database, { from: 'formerSets', to: 'setRevisions' });
  },
};

/** Verdicts of the built-in judge say which one it was: up to release 0.1 it compared words. */
const markVerdictsOfWordRules: Migration = {
  name: '0002-mark-verdicts-of-word-rules',
  async up(database) {
    const to = 'reference 0.1 (word rules)';
    await replaceValue(database, { collection: 'recordings', field: 'assessment.engine', from: 'reference', to });
  },
};

/**
 * `isCorrect` was true from 50% on, while screens called answers correct from 60% on. Verdicts between say what the screens
 * said. History gets each change as a new revision.
 */
const correctFromSixty: Migration = {
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

/** The newest take of each question of assigned work says what it was assigned as, for the queue of those who review. */
export const sayWhatAnswersWereAssignedAs: Migration = {
  name: '0005-say-what-answers-were-assigned-as',
  async up(database) {
    const recordings = database.collection('recordings');
    const sessions = database.collection('sessions').find({ 'assignment.assignmentId': { $exists: true } });
    for await (const { _id: session, assignment } of sessions) {
      const { assignmentId, groupId, feedbackAt } = assignment;
      const newest = new Map<number, unknown>();
      for await (const { _id, questionId } of recordings.find({ session }).sort({ take: 1 }))
        newest.set(questionId, _id);
      const assigned = { assignmentId, groupId, feedbackAt };
      await recordings.updateMany({ _id: { $in: [...newest.values()] as never[] } }, { $set: { assigned } });
    }
  },
};

/** Every change that the database's layout has seen, oldest first. A released one is never edited, renamed or removed. */
export const migrations: readonly Migration[] = [
  renameLeasesAndOutages,
  markVerdictsOfWordRules,
  turnGuestReviewsIntoFeedback,
  correctFromSixty,
  sayWhatAnswersWereAssignedAs,
];
