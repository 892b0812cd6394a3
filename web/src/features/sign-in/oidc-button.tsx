import { Button, Text } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useState } from 'react';
import { errorMessage } from '../../lib/api/api-error.ts';
import { goToProvider } from '../../lib/provider-attempt.ts';
import { useOidcSignInMutation } from './sign-in-api.ts';

interface OidcButtonProps {
  /** The provider's name for people. */
  name: string;
  /** Why the last sign-in by the provider failed. */
  refusal?: string | undefined;
}

/** 'Sign in with …' an OpenID provider: opens its page. The reason of a failure is shown below. */
export function OidcButton({ name, refusal }: OidcButtonProps) {
  const [begin] = useOidcSignInMutation();
  const [leaving, setLeaving] = useState(false);
  const [reason, setReason] = useState(refusal);

  const leave = async () => {
    setLeaving(true);
    setReason(undefined);
    const { data, error } = await begin();
    const { pathname, search } = window.location;
    const why = data
      ? goToProvider(data.url, { attempt: data.attempt, purpose: 'sign-in', name, returnTo: pathname + search })
      : errorMessage(error, `Failed to sign in with ${name}`);
    // Otherwise the page is on its way out.
    if (why !== undefined) setLeaving(false);
    setReason(why);
  };
  return (
    <div>
      <Button
        fullWidth
        size="md"
        variant="default"
        leftSection={<IconLogin2 size={18} stroke={1.5} aria-hidden />}
        loading={leaving}
        onClick={() => void leave()}
      >
        {`Sign in with ${name}`}
      </Button>
      {reason && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)" ta="center" mt={6}>
          {reason}
        </Text>
      )}
    </div>
  );
}
