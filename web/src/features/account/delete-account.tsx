import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { errorMessage } from '../../lib/api/api-error.ts';
import { deleteDrafts } from '../../lib/drafts/answer-drafts.ts';
import { signedOut } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import { useDeleteAccountMutation } from './account-api.ts';
import { PasswordField } from './new-password-fields.tsx';

const failed = 'Failed to delete the account';

/** Permanently deletes the user's account and data. Requires the password, unless the sign-in is recent. */
export function DeleteAccount({ userId }: { userId: string }) {
  const [remove, { isLoading }] = useDeleteAccountMutation();
  const dispatch = useAppDispatch();
  const [isAsking, setIsAsking] = useState(false);
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState('');

  const ask = () => {
    setPassword('');
    setRefusal('');
    setIsAsking(true);
  };
  const confirm = async () => {
    try {
      await remove(password === '' ? {} : { password }).unwrap();
    } catch (error) {
      setRefusal(errorMessage(error, failed));
      return;
    }
    await deleteDrafts((draft) => draft.userId === userId);
    toast.success('Your account was deleted');
    dispatch(signedOut());
  };
  return (
    <>
      <Button variant="light" color="red" onClick={ask}>
        Delete account
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title="Delete account?"
        confirmLabel="Delete account"
        busy={isLoading}
        onConfirm={() => void confirm()}
        onCancel={() => setIsAsking(false)}
      >
        <p>
          Your account is deleted with all sessions, recordings, transcripts and verdicts. You are signed out
          everywhere. This cannot be undone.
        </p>
        <PasswordField
          label="Your password"
          description="Not needed if you signed in during the last ten minutes."
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={refusal}
        />
      </ConfirmDialog>
    </>
  );
}
