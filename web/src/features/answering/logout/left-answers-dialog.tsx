import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { endSignIn } from '../../../lib/api/base-api.ts';
import { deleteDraft } from '../../../lib/drafts/answer-drafts.ts';
import { lockedReasons, type UnsentAnswer } from '../../../lib/drafts/draft.ts';
import { answerLength, countOf, exactTime, timeAgo } from '../../../lib/formats.ts';
import { selectToken } from '../../../lib/state/sign-in-slice.ts';
import type { RootState } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import { UploadError, uploadAnswer } from '../session/answer-upload.ts';
import { uploadFailureToast } from '../session/upload-outcome.ts';
import type { LeftAnswers } from './left-answers.ts';
import classes from './left-answers-dialog.module.css';

interface LeftAnswersDialogProps {
  left: LeftAnswers;
  onStay: () => void;
  /** Deletes the remaining answers and logs out. */
  onSettled: () => Promise<void>;
}

/** The dialog's state; `failure` is why the last answer couldn't be sent. */
type Phase = { name: 'asking'; failure?: string } | { name: 'sending'; draftId: string } | { name: 'leaving' };

/** Drafts from older releases don't store their kind; practice records video. */
const kindOf = ({ kind, mediaType }: UnsentAnswer): SessionKind =>
  kind ?? (mediaType.startsWith('video/') ? 'practice' : 'interview');

const kindNames: Readonly<Record<SessionKind, string>> = { interview: 'Interview', practice: 'Practice' };

/** On logout, asks whether to send or delete answers that the server doesn't have, or to stay signed in. */
export default function LeftAnswersDialog({ left, onStay, onSettled }: LeftAnswersDialogProps) {
  const [answers, setAnswers] = useState(left.answers);
  const [phase, setPhase] = useState<Phase>({ name: 'asking' });
  const sending = useRef<AbortController | null>(null);
  const store = useStore<RootState>();
  const isBusy = phase.name !== 'asking';
  const { locked, recordingElsewhere } = left;
  const count = answers.length + locked.length;
  /** Logging out would delete answers that can be sent once their key is available. */
  const isKeyMissing = locked.some((draft) => draft.locked === 'no-key');

  const send = async () => {
    const getToken = () => selectToken(store.getState());
    const token = getToken();
    sending.current = new AbortController();
    const { signal } = sending.current;
    for (const draft of answers) {
      const kind = kindOf(draft);
      setPhase({ name: 'sending', draftId: draft.id });
      try {
        await uploadAnswer(draft.answer.blob, { uploadId: draft.id, target: draft, kind, getToken }, signal);
      } catch (error) {
        if (signal.aborted) return;
        console.error(error);
        setPhase({ name: 'asking', failure: uploadFailureToast.practice(error) });
        if (error instanceof UploadError && error.error.status === 401) endSignIn(token, store);
        return;
      }
      await deleteDraft(draft.id).catch(console.warn);
      setAnswers((rest) => rest.filter(({ id }) => id !== draft.id));
    }
    toast.success(answers.length === 1 ? 'Your answer was sent' : 'Your answers were sent');
    setPhase({ name: 'leaving' });
    await onSettled();
  };
  const remove = async () => {
    setPhase({ name: 'leaving' });
    await onSettled();
  };
  const stay = () => {
    sending.current?.abort();
    onStay();
  };

  return (
    <Modal opened onClose={stay} title="Unsent answer">
      {count > 0 && (
        <Text>
          {count === 1
            ? "You recorded an answer that hasn't been uploaded yet. Logging out removes it from this browser."
            : "You recorded answers that haven't been uploaded yet. Logging out removes them from this browser."}
        </Text>
      )}
      {recordingElsewhere && (
        <Text mt={count > 0 ? 'sm' : 0}>Another tab is recording an answer. Stay signed in to finish it there.</Text>
      )}
      <ul className={classes.list}>
        {answers.map((draft) => (
          <li key={draft.id}>
            <Text fw={550}>
              {draft.setTitle}, question {draft.questionId + 1}
            </Text>
            <Text size="sm" c="dimmed" className="tabular">
              {answerLength(draft.answer.durationMs)}, recorded{' '}
              <time title={exactTime(draft.startedAtMs)}>{timeAgo(draft.startedAtMs)}</time>
              {phase.name === 'sending' && phase.draftId === draft.id && ' · Sending...'}
            </Text>
          </li>
        ))}
        {locked.map((draft) => (
          <li key={draft.id}>
            <Text fw={550}>
              {kindNames[draft.kind ?? 'interview']}, question {draft.questionId + 1}
            </Text>
            <Text size="sm" c="dimmed">
              Recorded <time title={exactTime(draft.startedAtMs)}>{timeAgo(draft.startedAtMs)}</time>
            </Text>
            <Text size="sm">{lockedReasons[draft.locked]}</Text>
          </li>
        ))}
      </ul>
      <Text role="alert" className={classes.failure} size="sm">
        {phase.name === 'asking' && phase.failure}
      </Text>
      <Stack gap="xs">
        {answers.length > 0 && !recordingElsewhere && !isKeyMissing && (
          <Button onClick={() => void send()} loading={phase.name === 'sending'} disabled={phase.name === 'leaving'}>
            Send and log out
          </Button>
        )}
        <Button variant="light" color="red" onClick={() => void remove()} disabled={isBusy}>
          {count === 0 ? 'Log out without it' : `Delete ${countOf(count, 'answer')} and log out`}
        </Button>
        <Button variant="subtle" onClick={stay} disabled={phase.name === 'leaving'} data-autofocus>
          Stay signed in
        </Button>
      </Stack>
    </Modal>
  );
}
