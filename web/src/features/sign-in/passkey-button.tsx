import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { usePasskeySignInOptionsMutation } from '../../lib/api/account-security-api.ts';
import { errorMessage } from '../../lib/api/api-error.ts';
import { fallbacks } from '../../lib/messages.ts';
import { signedIn } from '../../lib/state/sign-in-slice.ts';
import { useAppDispatch } from '../../lib/state/state-hooks.ts';
import { toast } from '../../lib/toasts.ts';
import { usePasskeySignInMutation } from './sign-in-api.ts';

/** Passkeys belong to a host name, not to an address. */
const worksHere = () => Boolean(window.PublicKeyCredential) && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** 'Sign in with a passkey', where the browser has passkeys. */
export function PasskeyButton() {
  const [begin] = usePasskeySignInOptionsMutation();
  const [send] = usePasskeySignInMutation();
  const [busy, setBusy] = useState(false);
  const dispatch = useAppDispatch();
  if (!worksHere()) return null;

  const signIn = async () => {
    setBusy(true);
    try {
      const options = await begin().unwrap();
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const passkey = await startAuthentication({ optionsJSON: options });
      const { user } = await send({ passkey }).unwrap();
      dispatch(signedIn(user));
    } catch (error) {
      // The browser's own words for a cancelled dialog are for developers.
      const isBrowsers = error instanceof Error;
      toast.error(isBrowsers ? 'No passkey was used' : errorMessage(error, fallbacks.authentication), {
        id: 'sign-in',
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="subtle"
      fullWidth
      mt="xs"
      loading={busy}
      leftSection={<IconKey size={18} stroke={1.5} aria-hidden />}
      onClick={() => void signIn()}
    >
      Sign in with a passkey
    </Button>
  );
}
