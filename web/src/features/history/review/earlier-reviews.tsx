import type { Assessment } from '@interview-prep/contracts/recording/recordings';
import type { Playback } from '../../../components/player/use-playback.ts';
import { detailDate, exactTime } from '../../../lib/formats.ts';
import { Comments } from './comments.tsx';
import { DecidedPoints } from './decided-points.tsx';
import classes from './review.module.css';

type Review = NonNullable<Assessment['review']>;

/** When a review was given, and by whom: every coach is named, admins for those who review. */
export function ReviewAuthor({ review: { createdAt, reviewer } }: { review: Review }) {
  return (
    <>
      {reviewer && `${reviewer.email ?? 'Deleted user'} · `}
      <time dateTime={createdAt} title={exactTime(createdAt)}>
        {detailDate(createdAt)}
      </time>
    </>
  );
}

interface EarlierReviewsProps {
  reviews: NonNullable<Assessment['earlierReviews']>;
  playback: Playback;
}

/** The reviews that others have replaced, folded at first. They do not count. */
export function EarlierReviews({ reviews, playback }: EarlierReviewsProps) {
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
