import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { minutesSeconds } from '../../../lib/formats.ts';
import { TimeLeft } from './time-left.tsx';

/** An answer that was not sent. `retryAtMs`: when it is sent by itself, in ms since 1970. */
export interface HeldAnswer {
  name: 'held';
  answer: RecordedAnswer;
  message: string;
  retryAtMs?: number;
}

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
  const where = persisted ? 'on this device, even if you reload the page' : 'in this tab, so please keep it open';
  return (
    <Alert role="alert" color="orange" title={phase.message} icon={<IconAlertTriangle />} mb="lg">
      <Text size="sm">
        {phase.name === 'held' ? (
          <>
            Your answer ({minutesSeconds(phase.answer.durationMs / 1000)}) is kept {where}.{' '}
            {phase.retryAtMs === undefined ? (
              'Send it again or record a new answer.'
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
          <Button size="xs" onClick={onSendAgain}>
            Send again
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onRecordAgain}>
          Record again
        </Button>
      </Group>
    </Alert>
  );
}
