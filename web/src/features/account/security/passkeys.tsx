import type { AccountSecurity } from '@interview-prep/contracts/auth/account-security';
import type { Passkey } from '@interview-prep/contracts/auth/passkeys';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { TimeAgo } from '../../../components/times.tsx';
import {
  useAddPasskeyMutation,
  useNewPasskeyOptionsMutation,
  useRemovePasskeyMutation,
} from '../../../lib/api/account-security-api.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { timeAgo } from '../../../lib/formats.ts';
import { toast } from '../../../lib/toasts.ts';
import formClasses from '../account-form.module.css';
import classes from './passkeys.module.css';

/** Why passkeys aren't available here; undefined if they are. */
function obstacle(host: string | null): string | undefined {
  if (host === null) return 'Passkeys need a host name. This product is reached at an address.';
  if (window.location.hostname !== host) return `To use passkeys, open this site at ${host}.`;
  return window.PublicKeyCredential ? undefined : 'This browser has no passkeys.';
}

/** The user's passkeys: add, remove. */
export function Passkeys({ security, onChange }: { security: AccountSecurity; onChange: () => void }) {
  const [begin] = useNewPasskeyOptionsMutation();
  const [add] = useAddPasskeyMutation();
  const [remove] = useRemovePasskeyMutation();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<Passkey | null>(null);
  const why = obstacle(security.passkeyHost);

  const make = async () => {
    setBusy(true);
    try {
      const options = await begin().unwrap();
      const { startRegistration } = await import('@simplewebauthn/browser');
      const passkey = await startRegistration({ optionsJSON: options });
      await add({ passkey }).unwrap();
      toast.success('The passkey was added');
      onChange();
    } catch (error) {
      // The browser's message for a canceled dialog is meant for developers.
      const isBrowsers = error instanceof Error;
      toast.error(isBrowsers ? 'No passkey was added' : errorMessage(error, 'Failed to add the passkey'));
    } finally {
      setBusy(false);
    }
  };
  const confirmRemoval = async (passkey: Passkey) => {
    setAsking(null);
    const { error } = await remove({ passkeyId: passkey.id });
    if (error) return toast.error(errorMessage(error, 'Failed to remove the passkey'));
    toast.success(`The passkey added ${timeAgo(passkey.createdAt)} was removed`);
    onChange();
  };

  return (
    <section className={formClasses.card} aria-labelledby="passkeys">
      <Stack>
        <Title order={2} size="h4" id="passkeys">
          Passkeys
        </Title>
        <Text size="sm" c="dimmed">
          Use your fingerprint, face or screen lock instead of a password and code.
        </Text>
        {security.passkeys.length > 0 && (
          <ul className={classes.list}>
            {security.passkeys.map((passkey) => (
              <li key={passkey.id}>
                <IconKey size={18} stroke={1.5} aria-hidden />
                <div>
                  <Text size="sm" fw={550}>
                    {passkey.isSynced ? 'Synced passkey' : 'Passkey on one device'}
                  </Text>
                  <Text size="xs" c="dimmed">
                    Added <TimeAgo at={passkey.createdAt} />, last used{' '}
                    {passkey.lastUsedAt ? <TimeAgo at={passkey.lastUsedAt} /> : 'never'}
                  </Text>
                </div>
                <Button variant="subtle" color="red" size="xs" onClick={() => setAsking(passkey)}>
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Group>
          <Button variant="default" loading={busy} disabled={why !== undefined} onClick={() => void make()}>
            Add a passkey
          </Button>
          {why && (
            <Text size="sm" c="dimmed">
              {why}
            </Text>
          )}
        </Group>
      </Stack>
      <ConfirmDialog
        opened={asking !== null}
        title="Remove the passkey?"
        confirmLabel="Remove the passkey"
        onConfirm={() => asking && void confirmRemoval(asking)}
        onCancel={() => setAsking(null)}
      >
        It will no longer sign you in. Delete it on your device too.
      </ConfirmDialog>
    </section>
  );
}
