import type { GuestFeedback } from '@interview-prep/contracts/recording/guest-feedback';
import { pointStateNames } from '@interview-prep/contracts/recording/point-states';
import { MarkedText } from '../../../components/marked-text.tsx';
import type { Playback } from '../../../components/player/use-playback.ts';
import { detailDate, exactTime } from '../../../lib/formats.ts';
import { Comments } from './comments.tsx';
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
      {points.length > 0 && (
        <ul className={classes.comments}>
          {points.map(({ text, state, reason: why }) => (
            <li key={text}>
              <MarkedText>{text}</MarkedText>
              <span className={classes.label}>
                {pointStateNames[state]}
                {why && `: ${why}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Comments comments={comments} playback={playback} />
    </section>
  );
}
