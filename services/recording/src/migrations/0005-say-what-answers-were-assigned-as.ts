import type { Migration } from '@interview-prep/kit/mongo/migrations';

/** Stores the assignment on the newest take of each assigned question, for the review queue. */
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
