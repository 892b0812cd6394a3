import type { Assessment } from '@interview-prep/contracts/recording/recordings';
import type { Playback } from '../../../components/player/use-playback.ts';
import { detailDate, exactTime } from '../../../lib/formats.ts';
import { VerdictBadge } from '../detail/verdict-badge.tsx';
import { Comments } from './comments.tsx';
import { DecidedPoints } from './decided-points.tsx';
import classes from './review.module.css';

type Review = NonNullable<Assessment['review']>;

interface EarlierReviewsProps {
  reviews: NonNullable<Assessment['earlierReviews']>;
  playback: Playback;
}

interface ReviewNoteProps {
  assessment: Assessment;
  playback: Playback;
  /** Whether the reader is the one who answered. */
  own: boolean;
}

const givers = { admin: 'An admin', coach: 'A coach', reviewer: 'A reviewer' } as const;
const whys = {
  admin: 'What the admin says',
  coach: 'What the coach says',
  reviewer: 'What the reviewer says',
} as const;

/** The candidate's request for a review, and what the reviewer said, beside the judge's verdict. */
export function ReviewNote({ assessment, playback, own }: ReviewNoteProps) {
  const { appeal, review, earlierReviews, machine } = assessment;
  if (!appeal && !review) return null;
  return (
    <section className={classes.note} aria-label="Human review">
      {appeal && (
        <p className={classes.line}>
          <span className={classes.label}>
            {appeal.automatic ? 'Sent for review on' : own ? 'Review requested' : 'The candidate asked for a review on'}{' '}
            <time dateTime={appeal.createdAt} title={exactTime(appeal.createdAt)}>
              {detailDate(appeal.createdAt)}
            </time>
          </span>
          {appeal.automatic ? appeal.reason : <q>{appeal.reason}</q>}
          {!review && <span className={classes.label}>Waiting for a reviewer</span>}
        </p>
      )}
      {review && (
        <>
          <dl className={classes.verdicts}>
            <div>
              <dt>{givers[review.by]}</dt>
              <dd>
                <VerdictBadge recording={{ ...review, isCorrect: review.correctnessPercentage >= 50 }} />
              </dd>
            </div>
            {machine && (
              <div>
                <dt>The judge</dt>
                <dd>{machine.isCorrect === null ? 'Not judged' : <VerdictBadge recording={machine} />}</dd>
              </div>
            )}
          </dl>
          <p className={classes.line}>
            <span className={classes.label}>
              {whys[review.by]} · <ReviewAuthor review={review} />
            </span>
            {review.reason}
          </p>
          <Comments comments={review.comments} playback={playback} />
          {earlierReviews && <EarlierReviews reviews={earlierReviews} playback={playback} />}
        </>
      )}
    </section>
  );
}

/** When a review was given, and by whom: every coach is named, admins for those who review. */
function ReviewAuthor({ review: { createdAt, reviewer } }: { review: Review }) {
  return (
    <>
      {reviewer && `${reviewer.email ?? 'Deleted user'} · `}
      <time dateTime={createdAt} title={exactTime(createdAt)}>
        {detailDate(createdAt)}
      </time>
    </>
  );
}

/** The reviews that others have replaced, folded at first. They do not count. */
function EarlierReviews({ reviews, playback }: EarlierReviewsProps) {
  return (
    <details className={classes.earlier}>
      <summary>Earlier reviews ({reviews.length})</summary>
      {reviews.map((review) => (
        <div key={review.createdAt}>
          <p className={classes.line}>
            <span className={classes.label}>
              {review.correctnessPercentage}% · <ReviewAuthor review={review} />
            </span>
            {review.reason}
          </p>
          <DecidedPoints points={review.points} />
          <Comments comments={review.comments} playback={playback} />
        </div>
      ))}
    </details>
  );
}
