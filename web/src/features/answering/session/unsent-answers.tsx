import type { SessionKind } from '@interview-prep/contracts/recordings';
import { Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'react-redux';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { endSignIn } from '../../../lib/api/base-api.ts';
import { deleteDraft } from '../../../lib/drafts/answer-drafts.ts';
import type { LockedDraft, UnsentAnswer } from '../../../lib/drafts/draft.ts';
import { exactTime, minutesSeconds, timeAgo } from '../../../lib/formats.ts';
import { messages } from '../../../lib/messages.ts';
import type { RootState } from '../../../lib/state/root-state.ts';
import { selectToken } from '../../../lib/state/sign-in-slice.ts';
import { toast } from '../../../lib/toasts.ts';
import { lockedReasons } from './locked-reasons.ts';
import { recorderToast } from './recorder-toast.ts';
import classes from './unsent-answers.module.css';
import { UploadError, uploadAnswer } from './upload-answer.ts';
import { awaitResults, uploadFailureToast } from './upload-outcome.ts';

interface UnsentAnswersProps {
  kind: SessionKind;
  unsent: readonly (UnsentAnswer | LockedDraft)[];
  /** Takes an answer into the current session. Returns false if it belongs to an earlier one. */
  onAdopt: (draft: UnsentAnswer) => boolean;
  onDone: (draftId: string) => void;
}

/** Answers that an earlier visit could not send, to send or discard; those that cannot be read, to discard. */
export function UnsentAnswers({ kind, unsent, onAdopt, onDone }: UnsentAnswersProps) {
  const [sending, setSending] = useState<string | null>(null);
  const store = useStore<RootState>();

  const send = async (draft: UnsentAnswer) => {
    if (sending !== null) return;
    if (onAdopt(draft)) {
      onDone(draft.id);
      return;
    }
    setSending(draft.id);
    const token = selectToken(store.getState());
    toast.info(messages.recorder.uploading, { id: recorderToast });
    try {
      const recording = await uploadAnswer(kind, draft, draft.answer.blob, token, new AbortController().signal);
      deleteDraft(draft.id).catch(console.warn);
      toast.success(messages.recorder.saved, { id: recorderToast });
      store.dispatch(awaitResults(kind, draft, recording));
      onDone(draft.id);
    } catch (error) {
      console.error(error);
      toast.error(errorMessage(error, uploadFailureToast[kind](error)), { id: recorderToast });
      if (error instanceof UploadError && error.error.status === 401) endSignIn(token, store);
    } finally {
      setSending(null);
    }
  };

  const discard = (draft: UnsentAnswer | LockedDraft) => {
    deleteDraft(draft.id).catch(console.warn);
    onDone(draft.id);
  };

  return (
    <>
      <Title order={1}>Not sent yet</Title>
      <Text mt="sm" c="dimmed">
        {unsent.length === 1
          ? 'You recorded an answer that has not reached the server. Send or discard it to continue.'
          : 'You recorded answers that have not reached the server. Send or discard them to continue.'}
        {unsent.some((draft) => 'answer' in draft && !draft.persisted) &&
          ' The browser could not store everything. Anything you do not send is lost if you close or reload this tab.'}
      </Text>
      <ul className={classes.list}>
        {unsent.map((draft) => (
          <li key={draft.id} className={classes.item}>
            <div>
              <Text fw={550}>Question {draft.questionId + 1}</Text>
              <Text size="sm" c="dimmed" className="tabular">
                {'answer' in draft ? `${minutesSeconds(draft.answer.durationMs / 1000)}, recorded` : 'Recorded'}{' '}
                <time title={exactTime(draft.startedAtMs)}>{timeAgo(draft.startedAtMs)}</time>
              </Text>
              {'locked' in draft && <Text size="sm">{lockedReasons[draft.locked]}</Text>}
            </div>
            <Group gap="xs">
              {'answer' in draft && (
                <Button loading={sending === draft.id} disabled={sending !== null} onClick={() => send(draft)}>
                  Send
                </Button>
              )}
              <Button variant="default" disabled={sending !== null} onClick={() => discard(draft)}>
                Discard
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </>
  );
}
