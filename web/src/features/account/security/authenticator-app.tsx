import type { AccountSecurity } from '@interview-prep/contracts/account-security';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { RecoveryCodeList } from '../../../components/second-factor/recovery-code-list.tsx';
import {
  useBeginTotpMutation,
  useRemoveTotpMutation,
  useRenewRecoveryCodesMutation,
} from '../../../lib/api/account-security-api.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';
import formClasses from '../account-form.module.css';
import { TotpSetUp } from './totp-set-up.tsx';

const failed = 'Failed to change the sign-in';

/** The authenticator app and the recovery codes: set up, renew, remove. */
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
            ? `Each sign-in asks for a code of your app. ${countOf(security.recoveryCodesLeft)} left, for when the app is out of reach.`
            : 'A code from an app on your phone, besides the password, at each sign-in.'}
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
              <Button variant="subtle" color="gray" loading={removal.isLoading} onClick={() => setIsAsking(true)}>
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

const countOf = (left: number) => (left === 1 ? '1 recovery code is' : `${left} recovery codes are`);
