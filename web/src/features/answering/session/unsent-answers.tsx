import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'react-redux';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { endSignIn } from '../../../lib/api/base-api.ts';
import { deleteDraft } from '../../../lib/drafts/answer-drafts.ts';
import { lockedReasons, type UnsentAnswer } from '../../../lib/drafts/draft.ts';
import { answerLength, exactTime, timeAgo } from '../../../lib/formats.ts';
import { messages } from '../../../lib/messages.ts';
import { selectToken } from '../../../lib/state/sign-in-slice.ts';
import type { RootState } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import { AnswerPreview } from './answer-notice.tsx';
import { completeCutOff, discardAnswer, UploadError, uploadAnswer } from './answer-upload.ts';
import classes from './unsent-answers.module.css';
import { awaitResults, recorderToast, uploadFailureToast } from './upload-outcome.ts';
import { useConfirmedDiscard } from './use-confirmed-discard.tsx';
import type { Unsent } from './use-unsent-answers.ts';

interface UnsentAnswersProps {
  kind: SessionKind;
  unsent: readonly Unsent[];
  /** Adds an answer to the current session. Returns false if it belongs to an earlier one. */
  onAdopt: (draft: UnsentAnswer) => boolean;
  onDone: (draftId: string) => void;
  /** Called after an answer to a question other than the current one was sent. */
  onSent: (draft: Unsent, recordingId: string) => void;
}

/** Unsent answers of an earlier visit, to play, send or discard; unreadable ones can only be discarded. */
export function UnsentAnswers({ kind, unsent, onAdopt, onDone, onSent }: UnsentAnswersProps) {
  const [sending, setSending] = useState<string | null>(null);
  const { ask, dialog } = useConfirmedDiscard();
  const store = useStore<RootState>();
  const getToken = () => selectToken(store.getState());

  const send = async (draft: Exclude<Unsent, { locked: string }>) => {
    if (sending !== null) return;
    if ('answer' in draft && onAdopt(draft)) {
      onDone(draft.id);
      return;
    }
    setSending(draft.id);
    const token = getToken();
    toast.info(messages.recorder.uploading, { id: recorderToast });
    const { signal } = new AbortController();
    try {
      const recording =
        'answer' in draft
          ? await uploadAnswer(draft.answer.blob, { uploadId: draft.id, target: draft, kind, getToken }, signal)
          : await completeCutOff(draft, token, signal);
      deleteDraft(draft.id).catch(console.warn);
      toast.success(messages.recorder.saved, { id: recorderToast });
      const setTitle = 'setTitle' in draft ? draft.setTitle : draft.title;
      store.dispatch(awaitResults(kind, { setTitle, questionId: draft.questionId }, recording));
      onSent(draft, recording._id);
      onDone(draft.id);
    } catch (error) {
      console.error(error);
      toast.error(errorMessage(error, uploadFailureToast[kind](error)), { id: recorderToast });
      if (error instanceof UploadError && error.error.status === 401) endSignIn(token, store);
    } finally {
      setSending(null);
    }
  };

  const discard = (id: string) => {
    discardAnswer(id, getToken());
    onDone(id);
  };

  return (
    <>
      <Title order={1}>{unsent.length === 1 ? 'Unsent answer' : 'Unsent answers'}</Title>
      <Text mt="sm" c="dimmed">
        {unsent.length === 1
          ? "This recording hasn't been uploaded yet. Send it or record again to continue."
          : "These recordings haven't been uploaded yet. Send them or record again to continue."}
        {unsent.some((draft) => 'answer' in draft && !draft.persisted) &&
          ' The browser could not store everything. Anything you do not send is lost if you close or reload this tab.'}
      </Text>
      <ul className={classes.list}>
        {unsent.map((draft) => (
          <li key={draft.id} className={classes.item}>
            <div>
              <Text fw={550}>Question {draft.questionId + 1}</Text>
              <Text size="sm" c="dimmed" className="tabular">
                <Length of={draft} /> <time title={exactTime(startOf(draft))}>{timeAgo(startOf(draft))}</time>
              </Text>
              {'locked' in draft && <Text size="sm">{lockedReasons[draft.locked]}</Text>}
            </div>
            <Group gap="xs">
              {!('locked' in draft) && (
                <Button loading={sending === draft.id} disabled={sending !== null} onClick={() => send(draft)}>
                  Send it
                </Button>
              )}
              <Button
                variant="light"
                color="red"
                disabled={sending !== null}
                onClick={() => ask('Delete it', () => discard(draft.id))}
              >
                {'locked' in draft ? 'Discard' : 'Record again'}
              </Button>
            </Group>
            {'answer' in draft && <AnswerPreview answer={draft.answer} />}
          </li>
        ))}
      </ul>
      {dialog}
    </>
  );
}

const startOf = (draft: Unsent) => ('startedAt' in draft ? Date.parse(draft.startedAt) : draft.startedAtMs);

function Length({ of: draft }: { of: Unsent }) {
  if ('locked' in draft) return 'Recorded';
  if ('answer' in draft) return `${answerLength(draft.answer.durationMs)}, recorded`;
  return draft.durationMs === null ? 'Cut off, recorded' : `Cut off after ${answerLength(draft.durationMs)},`;
}
