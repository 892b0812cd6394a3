import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiError } from '../../app/api-error.ts';
import { useAppDispatch } from '../../app/hooks.ts';
import { messages } from '../../app/messages.ts';
import { signedIn } from '../../app/session-slice.ts';
import { toast } from '../../app/toasts.ts';
import { GoogleMark } from './google-mark.tsx';
import { requestGoogleAccessToken } from './google-sign-in.ts';
import { useGoogleLoginMutation } from './session-api.ts';

interface GoogleButtonProps {
  /** Undefined while the settings come, null where sign-in by Google is not set up. */
  clientId: string | null | undefined;
}

/** 'Sign in with Google', or the word that it is not set up here; under it why the server refused. */
export function GoogleButton({ clientId }: GoogleButtonProps) {
  const [choosing, setChoosing] = useState(false);
  const [googleLogin, { isLoading, error, reset }] = useGoogleLoginMutation();
  const reason = (error as ApiError | undefined)?.message;
  const dispatch = useAppDispatch();

  const signIn = async () => {
    if (!clientId) return;
    setChoosing(true);
    reset();
    try {
      const accessToken = await requestGoogleAccessToken(clientId);
      const answer = await googleLogin({ accessToken });
      if (answer.data) dispatch(signedIn(answer.data));
      else toast.error(messages.session.googleServerFailed);
    } catch (cause) {
      console.error(cause);
      toast.error(messages.session.googleSignInFailed);
    } finally {
      setChoosing(false);
    }
  };

  return (
    <div>
      <Button
        fullWidth
        size="md"
        variant="default"
        leftSection={<GoogleMark />}
        loading={choosing || isLoading}
        disabled={!clientId}
        onClick={signIn}
      >
        Sign in with Google
      </Button>
      {clientId === null && (
        <Text size="xs" c="dimmed" ta="center" mt={6}>
          Sign-in with Google is not set up on this server.
        </Text>
      )}
      {reason && (
        <Text size="sm" c="var(--mantine-color-error)" ta="center" mt={6}>
          {reason}
        </Text>
      )}
    </div>
  );
}
