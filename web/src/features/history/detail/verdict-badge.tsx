import type { CreditRange } from '@interview-prep/contracts/recording/recordings';
import { shownVerdict } from '@interview-prep/contracts/recording/shown-verdict';
import type { Review } from '@interview-prep/contracts/recording/verdict-review';
import { Box } from '@mantine/core';
import { IconCheck, IconCircleHalf2, IconX } from '@tabler/icons-react';
import phoneHidden from '../../../components/phone-hidden.module.css';
import { exactTime } from '../../../lib/formats.ts';
import type { SessionRecording } from '../session-types.ts';
import classes from './verdict-badge.module.css';

const looks = {
  correct: { word: 'Correct', Icon: IconCheck },
  partly: { word: 'Partially correct', Icon: IconCircleHalf2 },
  incorrect: { word: 'Incorrect', Icon: IconX },
} as const;

interface VerdictBadgeProps {
  recording: Pick<SessionRecording, 'isCorrect' | 'correctnessPercentage'>;
  /** The possible range of the percentage, if the judge is unsure. */
  range?: CreditRange | undefined;
  /** The reviewer who gave the verdict. */
  review?: Review | undefined;
  /** Whether to show only the icon and the percentage on a phone. */
  compact?: boolean;
}

const givers = { admin: 'an admin', coach: 'a coach', reviewer: 'a reviewer' } as const;

/** 'Partially correct · 70%', 'scored by a coach', 'could be 60–80%'; nothing if there is no verdict. */
export function VerdictBadge({ recording, range, review, compact = false }: VerdictBadgeProps) {
  const verdict = shownVerdict(recording);
  if (verdict === null) return null;
  const { word, Icon } = looks[verdict];
  const { correctnessPercentage } = recording;
  const hasPercentage = typeof correctnessPercentage === 'number';
  const badge = (
    <span className={classes.verdict} data-verdict={verdict}>
      <Icon size={16} stroke={2.5} aria-hidden />
      <span className={compact && hasPercentage ? phoneHidden.text : undefined}>{word}</span>
      {hasPercentage && (
        <>
          <span className={compact ? phoneHidden.text : undefined}>·</span>
          <Box component="span" className="tabular">
            {Math.round(correctnessPercentage)}%
          </Box>
        </>
      )}
    </span>
  );
  if (!range && !review) return badge;
  return (
    <span className={classes.ranged} data-ranged>
      {badge}{' '}
      {review && (
        <span
          className={classes.range}
          title={[review.reviewer?.email, exactTime(review.createdAt)].filter(Boolean).join(', ')}
        >
          scored by {givers[review.by]}
        </span>
      )}
      {range && (
        <span className={classes.range}>
          could be {range.from}–{range.to}%
        </span>
      )}
    </span>
  );
}
