import type { SessionKind } from '@interview-prep/contracts/recordings';
import { useDeleteAnswerMutation } from '../history-api.ts';
import { DeleteButton } from './delete-button.tsx';

interface DeleteAnswerProps {
  kind: SessionKind;
  recordingId: string;
  /** The id that the detail was asked for by. */
  detailId: string;
  /** Whether the answer has a follow-up question, which is deleted with it. */
  hasFollowUp: boolean;
}

/** Deletes one answer for good, with its earlier takes. */
export function DeleteAnswer({ kind, recordingId, detailId, hasFollowUp }: DeleteAnswerProps) {
  const [remove] = useDeleteAnswerMutation();
  return (
    <DeleteButton
      label="Delete answer"
      onDelete={() => remove({ recordingId, kind, detailId }).unwrap()}
      done="Answer deleted successfully"
      failed="Failed to delete the answer"
    >
      The recording is deleted with its earlier takes, its transcript and its verdict
      {hasFollowUp && ', and so is the follow-up question to it'}. This cannot be undone.
    </DeleteButton>
  );
}
