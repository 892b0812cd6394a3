import type { Migration } from '@interview-prep/kit/mongo/migrations';

interface Finding {
  covered?: boolean;
  state?: string;
  credit?: number;
}

interface JudgedPoint extends Finding {
  text: string;
  machine?: Finding;
  review?: { reason: string; before: Finding };
}

/** The fields of a recording that a guest's review changed. */
interface Reviewed {
  assessment: {
    status: string;
    points?: JudgedPoint[];
    machine?: { isCorrect: boolean | null; correctnessPercentage: number | null };
    review?: { createdAt: string; correctnessPercentage: number; reason: string; comments: object[] };
  };
  guestFeedback?: object[];
  revision: number;
}

/** The point as the judge found it, before the review overwrote it. */
function restored({ review, machine, ...point }: JudgedPoint): JudgedPoint {
  if (!review) return machine ? { ...point, machine } : point;
  const { before } = review;
  // The review saved the values it replaced as `machine`, unless an earlier claim already had: that copy differs.
  const isCopy = machine?.state === before.state && machine?.credit === before.credit;
  return { ...point, ...before, ...(machine && !isCopy ? { machine } : {}) };
}

/**
 * Guests with a link could give verdicts that replaced the judge's. These become guest feedback, and the judge's
 * verdict counts again. Appeals that they closed are reopened. History gets each change as a new revision.
 */
export const turnGuestReviewsIntoFeedback: Migration = {
  name: '0003-turn-guest-reviews-into-feedback',
  async up(database) {
    const recordings = database.collection<Reviewed>('recordings');
    for await (const recording of recordings.find({ 'assessment.review.by': 'reviewer' })) {
      const { _id, revision, assessment, guestFeedback = [] } = recording;
      const { review, machine, points, ...kept } = assessment;
      if (!review) continue;
      const verdict = machine ?? { isCorrect: null, correctnessPercentage: null };
      const status = verdict.correctnessPercentage === null ? 'unscored' : 'completed';
      const feedback = {
        // The review did not record which link it came from.
        shareId: '',
        createdAt: review.createdAt,
        correctnessPercentage: review.correctnessPercentage,
        points: (points ?? []).flatMap(({ text, state, covered, review: said }) =>
          said ? [{ text, state: state ?? (covered ? 'covered' : 'missing'), reason: said.reason }] : [],
        ),
        reason: review.reason,
        comments: review.comments,
      };
      await recordings.updateOne(
        { _id, revision },
        {
          $set: {
            assessment: { ...kept, status, ...(points ? { points: points.map(restored) } : {}) },
            ...verdict,
            stageStatus: status,
            guestFeedback: [...guestFeedback, feedback],
            unpublished: true,
          },
          $unset: { unannouncedReview: 1 },
          $inc: { revision: 1 },
        },
      );
    }
  },
};
