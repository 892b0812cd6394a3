import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { minutesSeconds } from '../../../lib/formats.ts';
import type { HeldReason } from './answer-events.ts';
import { TimeLeft } from './time-left.tsx';

/** An answer that was not sent. `retryAtMs`: when it is sent by itself, in ms since 1970. */
export interface HeldAnswer {
  name: 'held';
  answer: RecordedAnswer;
  reason: HeldReason;
  message: string;
  retryAtMs?: number;
}

/** What to do with an answer that has not been sent yet. */
const adviceOf: { readonly [Reason in HeldReason]?: string } = {
  silent: 'Check your microphone and record it again, or send it as it is.',
  'time-limit': 'Send it or record a new answer.',
};

interface AnswerNoticeProps {
  phase: HeldAnswer | { name: 'refused'; message: string };
  /** Whether the browser's database has a copy. */
  persisted: boolean;
  onRecordAgain: () => void;
  /** Left out if the screen has its own button for it. */
  onSendAgain?: () => void;
}

/** An answer that did not reach the server: why, what is safe, what to do. */
export function AnswerNotice({ phase, persisted, onRecordAgain, onSendAgain }: AnswerNoticeProps) {
  const held = phase.name === 'held';
  const silent = held && phase.reason === 'silent';
  const where = persisted ? 'on this device, even if you reload the page' : 'in this tab, so please keep it open';
  return (
    <Alert role="alert" color="orange" title={phase.message} icon={<IconAlertTriangle />} mb="lg">
      <Text size="sm">
        {phase.name === 'held' ? (
          <>
            Your answer ({minutesSeconds(phase.answer.durationMs / 1000)}) is kept {where}.{' '}
            {phase.retryAtMs === undefined ? (
              (adviceOf[phase.reason] ?? 'Send it again or record a new answer.')
            ) : (
              <>
                It is sent by itself in <TimeLeft atMs={phase.retryAtMs} />.
              </>
            )}
          </>
        ) : (
          'Record your answer to this question again.'
        )}
      </Text>
      <Group mt="sm" gap="xs">
        {held && onSendAgain && (
          <Button size="xs" variant={silent ? 'default' : 'filled'} onClick={onSendAgain}>
            {silent ? 'Send as it is' : 'Send again'}
          </Button>
        )}
        <Button size="xs" variant={silent ? 'filled' : 'default'} onClick={onRecordAgain}>
          Record again
        </Button>
      </Group>
    </Alert>
  );
}
