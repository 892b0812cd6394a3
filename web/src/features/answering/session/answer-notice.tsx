import { Alert, Button, Group, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { answerLength } from '../../../lib/formats.ts';
import { messages } from '../../../lib/messages.ts';
import type { HeldReason } from './answer-events.ts';
import { TimeLeft } from './recording-indicator.tsx';
import classes from './unsent-answers.module.css';
import { useConfirmedDiscard } from './use-confirmed-discard.tsx';

/** Plays an answer stored in this browser. */
export function AnswerPreview({ answer: { blob } }: { answer: RecordedAnswer }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  const Media = blob.type.startsWith('video/') ? 'video' : 'audio';
  return <Media className={classes.preview} controls src={url} aria-label="Your answer" />;
}

/** An answer that couldn't be sent. `retryAtMs`: when it is retried automatically, in ms since 1970. */
export interface HeldAnswer {
  name: 'held';
  answer: RecordedAnswer;
  reason: HeldReason;
  message: string;
  retryAtMs?: number;
}

/** The actions for an unsent answer. */
const adviceOf: { readonly [Reason in HeldReason]?: string } = {
  silent: 'Check your microphone and record it again, or send it as it is.',
  'time-limit': 'Send it or record a new answer.',
  listening: 'Send it or record a new answer.',
};

interface AnswerNoticeProps {
  phase: HeldAnswer | { name: 'refused'; message: string };
  /** Whether the browser's database has a copy. */
  persisted: boolean;
  /** Whether this was the last question. */
  isLast: boolean;
  onRecordAgain: () => void;
  onSendLater: () => void;
  /** Omitted if the screen has its own button. */
  onSendAgain?: () => void;
}

/** Explains why an answer wasn't uploaded, what is safe, and what to do. */
export function AnswerNotice({ phase, persisted, isLast, onRecordAgain, onSendLater, onSendAgain }: AnswerNoticeProps) {
  const { online } = useNetwork();
  const { ask, dialog } = useConfirmedDiscard();
  const held = phase.name === 'held';
  const silent = held && phase.reason === 'silent';
  const offline = held && phase.reason === 'upload-failed' && !online;
  const where = persisted ? 'on this device, even if you reload the page' : 'in this tab, so please keep it open';
  const offlineMessage = persisted ? messages.recorder.offline : messages.recorder.offlineInTab;
  return (
    <Alert
      role="alert"
      color="orange"
      title={offline ? offlineMessage : phase.message}
      icon={<IconAlertTriangle />}
      mb="lg"
    >
      {!offline && (
        <Text size="sm">
          {held ? (
            <>
              Your answer ({answerLength(phase.answer.durationMs)}) is kept {where}.{' '}
              {phase.retryAtMs === undefined ? (
                (adviceOf[phase.reason] ?? 'Send it again or record a new answer.')
              ) : (
                <>
                  It will be sent automatically in <TimeLeft atMs={phase.retryAtMs} />.
                </>
              )}
            </>
          ) : (
            'Record your answer to this question again.'
          )}
        </Text>
      )}
      {held && !silent && <AnswerPreview answer={phase.answer} />}
      <Group mt="sm" gap="xs">
        {offline && (
          <Button size="xs" onClick={onSendLater}>
            {isLast ? 'Finish and send later' : 'Continue and send later'}
          </Button>
        )}
        {held && onSendAgain && (
          <Button size="xs" variant={silent || offline ? 'default' : 'filled'} onClick={onSendAgain}>
            {silent ? 'Send as it is' : phase.reason === 'listening' ? 'Send it' : 'Send again'}
          </Button>
        )}
        <Button
          size="xs"
          variant={silent ? 'filled' : 'default'}
          onClick={held && !silent ? () => ask('Record again', onRecordAgain) : onRecordAgain}
        >
          Record again
        </Button>
      </Group>
      {dialog}
    </Alert>
  );
}
