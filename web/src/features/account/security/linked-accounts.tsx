import type { AccountSecurity } from '@interview-prep/contracts/auth/account-security';
import type { LinkedProvider } from '@interview-prep/contracts/auth/identities';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import {
  useLinkGoogleMutation,
  useLinkOidcMutation,
  useUnlinkIdentityMutation,
} from '../../../lib/api/account-security-api.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useGetSettingsQuery } from '../../../lib/api/base-api.ts';
import { requestGoogleAccessToken } from '../../../lib/google-sign-in.ts';
import { messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { goToProvider } from '../../../lib/provider-attempt.ts';
import { toast } from '../../../lib/toasts.ts';
import formClasses from '../account-form.module.css';
import classes from './passkeys.module.css';

interface LinkedAccountsProps {
  security: AccountSecurity;
  /** Called after an account was linked or unlinked on this page. */
  onChange: () => void;
}

/** The provider accounts that can sign the user in: link, unlink. */
export function LinkedAccounts({ security: { providers }, onChange }: LinkedAccountsProps) {
  const { data: settings } = useGetSettingsQuery();
  const [linkOidc] = useLinkOidcMutation();
  const [linkGoogle] = useLinkGoogleMutation();
  const [unlink] = useUnlinkIdentityMutation();
  const [busy, setBusy] = useState<LinkedProvider['id'] | null>(null);
  const [asking, setAsking] = useState<LinkedProvider | null>(null);
  if (providers.length === 0) return null;

  const begin = async ({ name }: LinkedProvider) => {
    const { data, error } = await linkOidc();
    const why = data
      ? goToProvider(data.url, { attempt: data.attempt, purpose: 'link', name, returnTo: paths.security })
      : errorMessage(error, `Failed to link ${name}`);
    if (why !== undefined) toast.error(why);
  };
  const linkByGoogle = async ({ name }: LinkedProvider) => {
    const accessToken = await requestGoogleAccessToken(settings?.googleClientId ?? '').catch(() => null);
    if (accessToken === null) return toast.error(messages.signIn.googleSignInFailed);
    const { error } = await linkGoogle({ accessToken });
    if (error) return toast.error(errorMessage(error, `Failed to link ${name}`));
    onChange();
    toast.success(`${name} was linked`);
  };
  const link = async (provider: LinkedProvider) => {
    setBusy(provider.id);
    await (provider.id === 'google' ? linkByGoogle(provider) : begin(provider));
    setBusy(null);
  };
  const confirmUnlink = async ({ id, name }: LinkedProvider) => {
    setAsking(null);
    const { error } = await unlink({ provider: id });
    if (error) return toast.error(errorMessage(error, `Failed to unlink ${name}`));
    onChange();
    toast.success(`${name} was unlinked`);
  };

  return (
    <section className={formClasses.card} aria-labelledby="linked-accounts">
      <Stack>
        <Title order={2} size="h4" id="linked-accounts">
          Linked accounts
        </Title>
        <Text size="sm" c="dimmed">
          Sign in with an account that you have elsewhere.
        </Text>
        <ul className={classes.list}>
          {providers.map((provider) => (
            <li key={provider.id}>
              <IconLink size={18} stroke={1.5} aria-hidden />
              <Group gap="xs">
                <Text size="sm" fw={550}>
                  {provider.name}
                </Text>
                <Badge variant={provider.isLinked ? 'light' : 'default'} color="teal" tt="none">
                  {provider.isLinked ? 'Linked' : 'Not linked'}
                </Badge>
              </Group>
              {provider.isLinked ? (
                <Button
                  variant="subtle"
                  color="red"
                  size="xs"
                  aria-label={`Unlink ${provider.name}`}
                  onClick={() => setAsking(provider)}
                >
                  Unlink
                </Button>
              ) : (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Link ${provider.name}`}
                  loading={busy === provider.id}
                  onClick={() => void link(provider)}
                >
                  Link
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Stack>
      <ConfirmDialog
        opened={asking !== null}
        title={`Unlink ${asking?.name ?? 'the account'}?`}
        confirmLabel="Unlink the account"
        onConfirm={() => asking && void confirmUnlink(asking)}
        onCancel={() => setAsking(null)}
      >
        It will no longer sign you in. You can link it again.
      </ConfirmDialog>
    </section>
  );
}
