import type { AccountSecurity } from '@interview-prep/contracts/auth/account-security';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CodeField } from '../../../components/second-factor/code-field.tsx';
import {
  useGetAccountSecurityQuery,
  usePasskeySignInOptionsMutation,
  useStepUpMutation,
} from '../../../lib/api/account-security-api.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { signedOut, userChanged } from '../../../lib/state/sign-in-slice.ts';
import { useAppDispatch } from '../../../lib/state/state-hooks.ts';
import { PasswordField } from '../new-password-fields.tsx';

/** Whether only a passkey is accepted, as the second factor that the role requires. */
const needsPasskey = ({ secondFactorRequired, totp, passkeys }: AccountSecurity) =>
  secondFactorRequired && !totp && passkeys.length > 0;

/** Asks for the second factor, or for the password of a user without one. The original call is then retried. */
export default function StepUpDialog({ onSettled }: { onSettled: (confirmed: boolean) => void }) {
  const { data: security, error: loadError } = useGetAccountSecurityQuery();
  const [stepUp, { isLoading }] = useStepUpMutation();
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const dispatch = useAppDispatch();
  const [askPasskey] = usePasskeySignInOptionsMutation();
  const byPasskey = security && needsPasskey(security);
  const byPassword = security && !security.totp && !byPasskey && security.hasPassword;
  const canConfirm = security && (security.totp || byPasskey || byPassword);

  const answerByPasskey = async () => {
    const { data: options } = await askPasskey();
    const { startAuthentication } = await import('@simplewebauthn/browser');
    // A canceled dialog is an error too.
    const passkey = options && (await startAuthentication({ optionsJSON: options }).catch(() => undefined));
    return passkey && { passkey };
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading || !security) return;
    const proof = byPasskey ? await answerByPasskey() : security.totp ? { code: typed } : { password: typed };
    if (!proof) return setRefusal('No passkey was used');
    const { data, error } = await stepUp(proof);
    if (!data) return setRefusal(errorMessage(error, "Failed to confirm that it's you"));
    dispatch(userChanged({ token: data.token }));
    onSettled(true);
  };
  const change = (value: string) => {
    setTyped(value);
    setRefusal(undefined);
  };

  return (
    <Modal
      opened
      onClose={() => onSettled(false)}
      title="Confirm it's you"
      // Stacks above the deletion dialog.
      zIndex={300}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            {security && !canConfirm
              ? 'Your last sign-in was a while ago. Please sign in again.'
              : 'Your last sign-in was a while ago. Confirm to make this change.'}
          </Text>
          {loadError && <Text size="sm">{errorMessage(loadError, 'Failed to fetch data')}</Text>}
          {security?.totp && (
            <CodeField
              label="Code"
              description="From your authenticator app, or a recovery code"
              value={typed}
              error={refusal}
              onChange={change}
            />
          )}
          {byPasskey && <Text size="sm">{refusal ?? 'Confirm with your passkey.'}</Text>}
          {byPassword && (
            <PasswordField
              label="Your password"
              name="password"
              autoComplete="current-password"
              autoFocus
              value={typed}
              error={refusal}
              onChange={change}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onSettled(false)}>
              Cancel
            </Button>
            {canConfirm === false ? (
              <Button onClick={() => dispatch(signedOut())}>Sign in again</Button>
            ) : (
              <Button type="submit" loading={isLoading} disabled={!canConfirm}>
                Confirm
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
