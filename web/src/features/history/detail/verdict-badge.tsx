import { IconCheck, IconX } from '@tabler/icons-react';
import type { SessionRecording } from '../session-types.ts';
import classes from './verdict-badge.module.css';

/** Correct or Incorrect with its percentage; nothing if there is no verdict. */
export function VerdictBadge({
  recording,
}: {
  recording: Pick<SessionRecording, 'isCorrect' | 'correctnessPercentage'>;
}) {
  const { isCorrect, correctnessPercentage } = recording;
  if (typeof isCorrect !== 'boolean') return null;
  const Icon = isCorrect ? IconCheck : IconX;
  return (
    <span className={classes.verdict} data-correct={isCorrect}>
      <Icon size={16} stroke={2.5} aria-hidden />
      <span>{isCorrect ? 'Correct' : 'Incorrect'}</span>
      {typeof correctnessPercentage === 'number' && (
        <span className={classes.percentage}>{Math.round(correctnessPercentage)} %</span>
      )}
    </span>
  );
}
