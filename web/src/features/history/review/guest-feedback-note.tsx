import type { GuestFeedback } from '@interview-prep/contracts/recording/guest-feedback';
import type { Playback } from '../../../components/player/use-playback.ts';
import { detailDate, exactTime } from '../../../lib/formats.ts';
import { Comments } from './comments.tsx';
import { DecidedPoints } from './decided-points.tsx';
import classes from './review.module.css';

/** What a guest with a share link said. It does not count. */
export function GuestFeedbackNote({ feedback, playback }: { feedback: GuestFeedback; playback: Playback }) {
  const { createdAt, correctnessPercentage, points, reason, comments } = feedback;
  return (
    <section className={classes.note} aria-label="Guest feedback">
      <p className={classes.line}>
        <span className={classes.label}>
          Guest feedback · does not count toward the score ·{' '}
          <time dateTime={createdAt} title={exactTime(createdAt)}>
            {detailDate(createdAt)}
          </time>
        </span>
        {correctnessPercentage !== null && <span>Suggested score: {correctnessPercentage}%</span>}
        {reason}
      </p>
      <DecidedPoints points={points} />
      <Comments comments={comments} playback={playback} />
    </section>
  );
}
