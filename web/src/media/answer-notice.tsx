import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { minutesSeconds } from '../app/formats.ts';
import type { Answer } from './answer.ts';

interface AnswerNoticeProps {
  phase: { name: 'held'; answer: Answer; message: string } | { name: 'refused'; message: string };
  /** Whether the browser's database has a copy. */
  kept: boolean;
  onRecordAgain: () => void;
}

/** An answer that did not reach the server: why, what is safe, and the ways on. */
export function AnswerNotice({ phase, kept, onRecordAgain }: AnswerNoticeProps) {
  const held = phase.name === 'held';
  const where = kept ? 'on this device, even if the page is reloaded' : 'in this tab: please do not close it';
  return (
    <Alert role="alert" color="orange" title={phase.message} icon={<IconAlertTriangle />} mb="lg">
      <Text size="sm">
        {held
          ? `Your answer (${minutesSeconds(phase.answer.durationMs / 1000)}) is kept ${where}. Send it again, or answer anew.`
          : 'Record the answer to this question again.'}
      </Text>
      <Button mt="sm" size="xs" variant="default" onClick={onRecordAgain}>
        Record again
      </Button>
    </Alert>
  );
}
