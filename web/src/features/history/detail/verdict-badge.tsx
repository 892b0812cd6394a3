import { shownVerdict } from '@interview-prep/contracts/shown-verdict';
import { IconCheck, IconCircleHalf2, IconX } from '@tabler/icons-react';
import type { SessionRecording } from '../session-types.ts';
import classes from './verdict-badge.module.css';

const looks = {
  correct: { word: 'Correct', Icon: IconCheck },
  partly: { word: 'Partly', Icon: IconCircleHalf2 },
  incorrect: { word: 'Incorrect', Icon: IconX },
} as const;

/** Correct, Partly or Incorrect with its percentage; nothing if there is no verdict. */
export function VerdictBadge({
  recording,
}: {
  recording: Pick<SessionRecording, 'isCorrect' | 'correctnessPercentage'>;
}) {
  const verdict = shownVerdict(recording);
  if (verdict === null) return null;
  const { word, Icon } = looks[verdict];
  const { correctnessPercentage } = recording;
  return (
    <span className={classes.verdict} data-verdict={verdict}>
      <Icon size={16} stroke={2.5} aria-hidden />
      <span>{word}</span>
      {typeof correctnessPercentage === 'number' && (
        <span className={classes.percentage}>{Math.round(correctnessPercentage)} %</span>
      )}
    </span>
  );
}
