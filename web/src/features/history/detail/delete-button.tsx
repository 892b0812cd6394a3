import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { deleteDrafts } from '../../../lib/drafts/answer-drafts.ts';
import { toast } from '../../../lib/toasts.ts';
import { useDeleteAnswerMutation, useDeleteSessionMutation } from '../history-api.ts';
import { sessionKinds } from '../session-kinds.ts';
import type { SessionDetail } from '../session-types.ts';

/** Permanently deletes a session, with its unsent answers in this browser, and returns to the list. */
export function DeleteSession({ kind, detail }: { kind: SessionKind; detail: SessionDetail }) {
  const [remove] = useDeleteSessionMutation();
  const navigate = useNavigate();
  const onDelete = async () => {
    await remove({ id: detail._id, kind }).unwrap();
    await deleteDrafts(({ sessionId }) => sessionId === detail.sessionId);
    await navigate(sessionKinds[kind].listPath);
  };
  return (
    <DeleteButton
      label="Delete session"
      onDelete={onDelete}
      done={`“${detail.title || detail.technology}” was deleted`}
      failed="Failed to delete the session"
    >
      All answers of this session are deleted with their recordings, transcripts and verdicts. This cannot be undone.
    </DeleteButton>
  );
}

interface DeleteAnswerProps {
  kind: SessionKind;
  recordingId: string;
  /** The id that the detail was requested with. */
  detailId: string;
  /** The question's label: 'Question 2'. */
  name: string;
  /** Whether the answer has a follow-up question, which is deleted with it. */
  hasFollowUp: boolean;
}

/** Permanently deletes one answer and its earlier takes. */
export function DeleteAnswer({ kind, recordingId, detailId, name, hasFollowUp }: DeleteAnswerProps) {
  const [remove] = useDeleteAnswerMutation();
  return (
    <DeleteButton
      label="Delete answer"
      onDelete={() => remove({ recordingId, kind, detailId }).unwrap()}
      done={`The answer to ${name.replace(/^Q/, 'q')} was deleted`}
      failed="Failed to delete the answer"
    >
      The recording is deleted with its earlier takes, its transcript and its verdict
      {hasFollowUp && ', and so is the follow-up question to it'}. This cannot be undone.
    </DeleteButton>
  );
}

interface DeleteButtonProps {
  /** The button's label: 'Delete session'. */
  label: string;
  /** Tells what will be lost. */
  children: ReactNode;
  /** @throws ApiError */
  onDelete: () => Promise<unknown>;
  /** Toast texts. */
  done: string;
  failed: string;
}

/** A button that confirms an irreversible deletion. */
function DeleteButton({ label, children, onDelete, done, failed }: DeleteButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const confirm = async () => {
    setIsBusy(true);
    try {
      await onDelete();
      toast.success(done);
    } catch (error) {
      toast.error(errorMessage(error, failed));
    } finally {
      setIsBusy(false);
      setIsAsking(false);
    }
  };
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        size="xs"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setIsAsking(true)}
      >
        {label}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={`${label}?`}
        confirmLabel={label}
        busy={isBusy}
        onConfirm={() => void confirm()}
        onCancel={() => setIsAsking(false)}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
