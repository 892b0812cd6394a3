import type { GuestFeedback } from '@interview-prep/contracts/recording/guest-feedback';
import { pointStateNames } from '@interview-prep/contracts/recording/point-states';
import type { Assessment, PointState } from '@interview-prep/contracts/recording/recordings';
import type { ReviewComment } from '@interview-prep/contracts/recording/verdict-review';
import { Box, UnstyledButton } from '@mantine/core';
import { MarkedText } from '../../../components/marked-text.tsx';
import type { Playback } from '../../../components/player/use-playback.ts';
import { DetailDate } from '../../../components/times.tsx';
import { minutesSeconds } from '../../../lib/formats.ts';
import { VerdictBadge } from '../detail/verdict-badge.tsx';
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

/** The candidate's review request and the reviewer's response, next to the judge's verdict. */
export function ReviewNote({ assessment, playback, own }: ReviewNoteProps) {
  const { appeal, review, earlierReviews, machine } = assessment;
  if (!appeal && !review) return null;
  return (
    <Box component="section" py={14} px="md" bd="1px solid var(--border)" bdrs="md" fz="sm" aria-label="Human review">
      {appeal && (
        <p className={classes.line}>
          <span className={classes.label}>
            {appeal.automatic ? 'Sent for review on' : own ? 'Review requested' : 'The candidate asked for a review on'}{' '}
            <DetailDate at={appeal.createdAt} />
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
    </Box>
  );
}

/** When a review was given, and by whom: coaches are named to everyone, admins only to reviewers. */
function ReviewAuthor({ review: { createdAt, reviewer } }: { review: Review }) {
  return (
    <>
      {reviewer && `${reviewer.email ?? 'Deleted user'} · `}
      <DetailDate at={createdAt} />
    </>
  );
}

/** Superseded reviews, collapsed at first. They don't count toward the score. */
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

/** A guest's feedback. It doesn't count toward the score. */
export function GuestFeedbackNote({ feedback, playback }: { feedback: GuestFeedback; playback: Playback }) {
  const { createdAt, correctnessPercentage, points, reason, comments } = feedback;
  return (
    <Box component="section" py={14} px="md" bd="1px solid var(--border)" bdrs="md" fz="sm" aria-label="Guest feedback">
      <p className={classes.line}>
        <span className={classes.label}>
          Guest feedback · does not count toward the score · <DetailDate at={createdAt} />
        </span>
        {correctnessPercentage !== null && <span>Suggested score: {correctnessPercentage}%</span>}
        {reason}
      </p>
      <DecidedPoints points={points} />
      <Comments comments={comments} playback={playback} />
    </Box>
  );
}

/** A reviewer's remarks on points. Renders nothing if there are none. */
function DecidedPoints({ points }: { points: readonly { text: string; state: PointState; reason: string }[] }) {
  if (points.length === 0) return null;
  return (
    <ul className={classes.comments}>
      {points.map(({ text, state, reason }) => (
        <li key={text}>
          <MarkedText>{text}</MarkedText>
          <span className={classes.label}>
            {pointStateNames[state]}
            {reason && `: ${reason}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A reviewer's timed comments; each plays from its moment. */
function Comments({ comments, playback }: { comments: readonly ReviewComment[]; playback: Playback }) {
  if (comments.length === 0) return null;
  return (
    <ul className={classes.comments}>
      {comments.map(({ atMs, text }) => (
        <li key={`${atMs} ${text}`}>
          <UnstyledButton
            c="var(--mantine-color-anchor)"
            td="underline"
            className="tabular"
            disabled={playback.state.phase === 'failed'}
            aria-label={`Play from ${minutesSeconds(atMs / 1000)}`}
            onClick={() => playback.seek(atMs, true)}
          >
            {minutesSeconds(atMs / 1000)}
          </UnstyledButton>{' '}
          {text}
        </li>
      ))}
    </ul>
  );
}
