import { shownVerdict } from '@interview-prep/contracts/shown-verdict';
import { IconCheck, IconCircleHalf2, IconX } from '@tabler/icons-react';
import phoneHidden from '../../../components/phone-hidden.module.css';
import type { SessionRecording } from '../session-types.ts';
import classes from './verdict-badge.module.css';

const looks = {
  correct: { word: 'Correct', Icon: IconCheck },
  partly: { word: 'Partly', Icon: IconCircleHalf2 },
  incorrect: { word: 'Incorrect', Icon: IconX },
} as const;

interface VerdictBadgeProps {
  recording: Pick<SessionRecording, 'isCorrect' | 'correctnessPercentage'>;
  /** Shows only the icon and the percentage on a phone. */
  compact?: boolean;
}

/** Correct, Partly or Incorrect with its percentage; nothing if there is no verdict. */
export function VerdictBadge({ recording, compact = false }: VerdictBadgeProps) {
  const verdict = shownVerdict(recording);
  if (verdict === null) return null;
  const { word, Icon } = looks[verdict];
  const { correctnessPercentage } = recording;
  const hasPercentage = typeof correctnessPercentage === 'number';
  return (
    <span className={classes.verdict} data-verdict={verdict}>
      <Icon size={16} stroke={2.5} aria-hidden />
      <span className={compact && hasPercentage ? phoneHidden.text : undefined}>{word}</span>
      {hasPercentage && <span className={classes.percentage}>{Math.round(correctnessPercentage)} %</span>}
    </span>
  );
}
