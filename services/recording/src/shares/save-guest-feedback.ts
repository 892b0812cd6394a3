import { type GuestFeedback, guestFeedbackMax } from '@interview-prep/contracts/recording/guest-feedback';
import type { NewReview } from '@interview-prep/contracts/recording/reviews';
import { badRequest } from '@interview-prep/kit/http/http-error';
import type { Recording } from '../recordings/model.ts';
import type { ReprocessDeps } from '../recordings/start-run.ts';
import { writeVerdict } from '../reviews/save-review.ts';

/**
 * Keeps what a guest says about an answer, beside its verdict. Feedback given before with the same link is replaced.
 * @throws HttpError 400 for a point that the verdict does not have, 409 while the answer is processed
 */
export async function saveGuestFeedback(
  recording: Recording,
  { points, reason, comments, correctnessPercentage }: NewReview,
  shareId: string,
  deps: Pick<ReprocessDeps, 'models' | 'outbox'>,
): Promise<void> {
  const judged = recording.assessment.points ?? [];
  if (points.some(({ point }) => point >= judged.length)) {
    const message = 'The verdict has no such point';
    throw badRequest(message, [{ path: 'points', message }]);
  }
  const feedback: GuestFeedback = {
    shareId,
    createdAt: new Date().toISOString(),
    correctnessPercentage,
    points: points.map(({ point, ...said }) => ({ ...said, text: judged[point]!.text })),
    reason,
    comments: comments.toSorted((a, b) => a.atMs - b.atMs),
  };
  const others = (recording.guestFeedback ?? []).filter((each) => each.shareId !== shareId);
  await writeVerdict(recording, { guestFeedback: [...others, feedback].slice(-guestFeedbackMax) }, deps);
}
