import type { SessionKind } from '@interview-prep/contracts/recordings';
import { useNavigate } from 'react-router-dom';
import { deleteDrafts } from '../../../lib/drafts/answer-drafts.ts';
import { useDeleteSessionMutation } from '../history-api.ts';
import { sessionKinds } from '../session-kinds.ts';
import type { SessionDetail } from '../session-types.ts';
import { DeleteButton } from './delete-button.tsx';

/** Deletes a session for good, with its unsent answers in this browser, and goes to the list. */
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
      done="Session deleted successfully"
      failed="Failed to delete the session"
    >
      All answers of this session are deleted with their recordings, transcripts and verdicts. This cannot be undone.
    </DeleteButton>
  );
}
