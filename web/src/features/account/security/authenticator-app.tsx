import type { AccountSecurity } from '@interview-prep/contracts/auth/account-security';
import type { TotpSecret } from '@interview-prep/contracts/auth/second-factor-step';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { CodeField } from '../../../components/second-factor/code-field.tsx';
import { RecoveryCodeList, TotpSecretView } from '../../../components/second-factor/totp-secret.tsx';
import {
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useRenewRecoveryCodesMutation,
} from '../../../lib/api/account-security-api.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { countOf } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import formClasses from '../account-form.module.css';

const failed = 'Failed to change the sign-in';

interface TotpSetUpProps extends TotpSecret {
  /** Called with the recovery codes, or null if the user canceled. */
  onEnd: (recoveryCodes: string[] | null) => void;
}

/** Sets up an authenticator app: scan the secret, then confirm with a code. */
function TotpSetUp({ onEnd, ...secret }: TotpSetUpProps) {
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [confirm, { isLoading }] = useConfirmTotpMutation();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    if (code.trim() === '') return setRefusal('Please enter the code.');
    const { data, error } = await confirm({ code });
    if (data) onEnd(data.recoveryCodes);
    else setRefusal(errorMessage(error, failed));
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TotpSecretView {...secret} />
        <CodeField
          label="Code"
          description="Six digits from the app"
          digits
          value={code}
          error={refusal}
          onChange={(value) => {
            setCode(value);
            setRefusal(undefined);
          }}
        />
        <div className={formClasses.actions}>
          <Button type="submit" loading={isLoading}>
            Turn on
          </Button>
          <Button variant="default" onClick={() => onEnd(null)}>
            Cancel
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** The authenticator app and recovery codes: set up, renew, remove. */
export function AuthenticatorApp({ security, onChange }: { security: AccountSecurity; onChange: () => void }) {
  const [begin, begun] = useBeginTotpMutation();
  const [remove, removal] = useRemoveTotpMutation();
  const [renew, renewal] = useRenewRecoveryCodesMutation();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  const setUp = async () => {
    setCodes(null);
    const { error } = await begin();
    if (error) toast.error(errorMessage(error, failed));
  };
  const confirmRemoval = async () => {
    setIsAsking(false);
    setCodes(null);
    const { error } = await remove();
    if (error) return toast.error(errorMessage(error, failed));
    toast.success('The authenticator app was removed');
    onChange();
  };
  const renewCodes = async () => {
    const { data, error } = await renew();
    if (!data) return toast.error(errorMessage(error, failed));
    setCodes(data.recoveryCodes);
    onChange();
  };
  const finish = (recoveryCodes: string[] | null) => {
    begun.reset();
    setCodes(recoveryCodes);
    if (recoveryCodes) onChange();
  };

  return (
    <section className={formClasses.card} aria-labelledby="authenticator-app">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4" id="authenticator-app">
            Authenticator app
          </Title>
          <Badge variant={security.totp ? 'light' : 'default'} color="teal" tt="none">
            {security.totp ? 'On' : 'Off'}
          </Badge>
        </Group>
        <Text size="sm" c="dimmed">
          {security.totp
            ? `Each sign-in asks for a code of your app. ${countOf(security.recoveryCodesLeft, 'recovery code is', 'recovery codes are')} left, for when the app is out of reach.`
            : 'Enter a code from your phone as well as your password when you sign in.'}
        </Text>
        {security.secondFactorRequired && (
          <Text size="sm" c="dimmed">
            Your role needs a second factor.
          </Text>
        )}
        {codes && <RecoveryCodeList codes={codes} />}
        {begun.data ? (
          <TotpSetUp {...begun.data} onEnd={finish} />
        ) : (
          <div className={formClasses.actions}>
            <Button
              variant={security.totp ? 'default' : 'filled'}
              loading={begun.isLoading}
              onClick={() => void setUp()}
            >
              {security.totp ? 'Set up another app' : 'Set up an app'}
            </Button>
            {security.totp && (
              <Button variant="default" loading={renewal.isLoading} onClick={() => void renewCodes()}>
                New recovery codes
              </Button>
            )}
            {security.totp && (!security.secondFactorRequired || security.passkeys.length > 0) && (
              <Button variant="subtle" color="red" loading={removal.isLoading} onClick={() => setIsAsking(true)}>
                Remove
              </Button>
            )}
          </div>
        )}
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        title="Remove the authenticator app?"
        confirmLabel="Remove the app"
        onConfirm={() => void confirmRemoval()}
        onCancel={() => setIsAsking(false)}
      >
        The password alone will sign you in. The recovery codes stop working.
      </ConfirmDialog>
    </section>
  );
}
