import type { LiveStatus } from '@interview-prep/contracts/recording/recordings';
import { Box, Text } from '@mantine/core';
import { IconCheck, IconCircle, IconLoader2 } from '@tabler/icons-react';
import { estimateText, type StageStep } from './stage-progress.ts';
import classes from './stages.module.css';

const looks = {
  done: { Icon: IconCheck, word: 'done' },
  active: { Icon: IconLoader2, word: 'in progress' },
  waiting: { Icon: IconCircle, word: 'waiting' },
} as const;

/** A recording's processing steps; changes are announced to screen readers. */
export function Stages({ steps, estimate }: { steps: readonly StageStep[]; estimate?: LiveStatus['estimate'] }) {
  const active = steps.find(({ state }) => state === 'active');
  const done = steps.filter(({ state }) => state === 'done').length;
  const activeShare = active ? (active.percent ?? 50) / 100 : 0;
  return (
    <Box py={14} px="md" bdrs="md" bg="var(--surface-sunken)">
      <Text mb={10} size="sm" fw={600} role="status">
        {active?.label ?? 'Almost done'}
        {active?.percent === undefined ? '…' : ` ${active.percent}%`}{' '}
        <Box component="span" c="dimmed" fw={400}>
          {estimate && `${estimateText(estimate)}. `}This page updates automatically.
        </Box>
      </Text>
      <div className={classes.bar} aria-hidden>
        <div className={classes.fill} style={{ width: `${((done + activeShare) / steps.length) * 100}%` }} />
      </div>
      <ol className={classes.steps}>
        {steps.map(({ stage, label, state }) => {
          const { Icon, word } = looks[state];
          return (
            <li key={stage} className={classes.step} data-state={state} aria-label={`${label}: ${word}`}>
              <Icon size={16} stroke={2} aria-hidden />
              <span>{label}</span>
            </li>
          );
        })}
      </ol>
    </Box>
  );
}
