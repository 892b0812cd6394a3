import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiError } from '../../lib/api/api-error.ts';
import { requestGoogleAccessToken } from '../../lib/google-sign-in.ts';
import { messages } from '../../lib/messages.ts';
import { toast } from '../../lib/toasts.ts';
import { type SignInOutcome, useGoogleLoginMutation } from './sign-in-api.ts';

/** A plain 'G' in a ring, in the text color. */
function GoogleMark() {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M20.500 12h-8M20.500 12a8.500 8.500 0 1 1-2.600-6.100" />
    </svg>
  );
}

interface GoogleButtonProps {
  /** Undefined while the settings load, null if Google sign-in isn't set up. */
  clientId: string | null | undefined;
  onAnswer: (outcome: SignInOutcome) => void;
}

/** 'Sign in with Google', with a note if it isn't set up, and the server's reason for a rejection. */
export function GoogleButton({ clientId, onAnswer }: GoogleButtonProps) {
  const [choosing, setChoosing] = useState(false);
  const [googleLogin, { isLoading, error, reset }] = useGoogleLoginMutation();
  const reason = (error as ApiError | undefined)?.message;

  const signIn = async () => {
    if (!clientId) return;
    setChoosing(true);
    reset();
    try {
      const accessToken = await requestGoogleAccessToken(clientId);
      const answer = await googleLogin({ accessToken });
      if (answer.data) onAnswer(answer.data);
      else toast.error(messages.signIn.googleServerFailed);
    } catch (cause) {
      console.error(cause);
      toast.error(messages.signIn.googleSignInFailed);
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
          Google sign-in is not set up on this server.
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
