import { stateOf } from '@interview-prep/contracts/recording/point-states';
import { type NewReview, reviewsMax } from '@interview-prep/contracts/recording/reviews';
import type { Review } from '@interview-prep/contracts/recording/verdict-review';
import { conflict, invalidField } from '@interview-prep/kit/http/http-error';
import type { Recording } from '../recordings/model.ts';
import type { ReprocessDeps } from '../recordings/start-run.ts';
import { reviewedFields } from './apply-review.ts';

/** The changes made by a review, for the audit log: percentages and point states, no free text. */
export function reviewChanges(before: Recording, after: Pick<Recording, 'assessment' | 'correctnessPercentage'>) {
  const percent = (value: number | null) => (value === null ? 'not judged' : `${Math.round(value)}%`);
  const points = (after.assessment.points ?? []).flatMap((point, at) => {
    const [was, is] = [stateOf(before.assessment.points![at]!), stateOf(point)];
    return was === is ? [] : [`${at + 1} ${was} → ${is}`];
  });
  const earlier = before.assessment.review;
  const from = `${percent(before.correctnessPercentage)} by ${earlier ? (earlier.by === 'coach' ? 'a coach' : 'an admin') : 'the judge'}`;
  return {
    from,
    to: percent(after.correctnessPercentage),
    ...(points.length > 0 ? { points: cutOff(points.join(', ')) } : {}),
  };
}

/** The audit log's limit for details. */
const detailMaxLength = 200;
const cutOff = (text: string) => (text.length > detailMaxLength ? `${text.slice(0, detailMaxLength - 1)}…` : text);

type WriteDeps = Pick<ReprocessDeps, 'models' | 'outbox'>;

/**
 * Writes fields of a recording whose processing has ended, and publishes them.
 * @throws HttpError 409 if it has changed since it was read
 */
export async function writeVerdict(
  { _id, revision }: Recording,
  $set: object,
  { models, outbox }: WriteDeps,
): Promise<void> {
  const written = await models.recordings.findOneAndUpdate(
    { _id, revision, awaiting: null },
    { $set: { ...$set, unpublished: true }, $inc: { revision: 1 } },
    { returnDocument: 'after' },
  );
  if (!written) throw conflict('The answer is still being processed');
  await outbox.publish(written);
}

/**
 * Saves a reviewer's verdict. @returns the resulting verdict
 * @throws HttpError 409 while the answer is processed, or after too many reviews; 400 if a point doesn't exist, or no score can be determined
 */
export async function saveReview(
  recording: Recording,
  review: NewReview,
  by: Pick<Review, 'by' | 'reviewer'>,
  deps: WriteDeps,
) {
  if ((recording.assessment.earlierReviews?.length ?? 0) + 1 >= reviewsMax)
    throw conflict(`This answer has been reviewed ${reviewsMax} times`);
  const fields = reviewedFields(recording, review, by);
  if (!fields) {
    const [path, message] =
      review.points.length > 0
        ? ['points', 'The verdict has no such point']
        : ['correctnessPercentage', 'Correctness percentage is required, since the verdict has no points'];
    throw invalidField(path, message);
  }
  const { appeal, review: earlier } = recording.assessment;
  // Only the first review of an appeal is announced.
  const unannounced = appeal && !earlier ? { unannouncedReview: fields.assessment.review?.createdAt } : {};
  await writeVerdict(recording, { ...fields, ...unannounced, stageStatus: 'completed' }, deps);
  return fields;
}
