import type {
  OtherAccess as Access,
  LinkAfterReset,
  PasswordReset,
} from '@interview-prep/contracts/auth/password-reset';
import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { failureOf, PartFailure } from '../../components/load-failure.tsx';
import { TimeAgo } from '../../components/times.tsx';
import { errorMessage } from '../../lib/api/api-error.ts';
import { fallbacks } from '../../lib/messages.ts';
import { toast } from '../../lib/toasts.ts';
import { useGetLinksAfterResetQuery, useRemoveAccessMutation } from './account-api.ts';

const removeFailed = 'Failed to remove access';

type Removal = 'none' | 'asking' | 'running' | 'done';

/** The other ways to sign in, one per line. */
function accessLines({ passkeys, providers, keepsPasskeys }: Access, links: readonly LinkAfterReset[]) {
  return [
    ...(keepsPasskeys ? [] : passkeys).map((passkey) => ({
      key: passkey.id,
      line: (
        <>
          Passkey, added <TimeAgo at={passkey.createdAt} />
        </>
      ),
    })),
    ...providers.map((name) => ({ key: name, line: `Sign-in with ${name}` })),
    ...links.map(({ title, role, createdAt }) => ({
      key: `${title} ${createdAt}`,
      line: (
        <>
          Share link to “{title}” ({role === 'review' ? 'view and score' : 'view'}), created <TimeAgo at={createdAt} />
        </>
      ),
    })),
  ];
}

/** After a reset by mail: lists what else can open the account, with one button that removes it all. */
export function OtherAccess({ ticket, access: given, endedSignIns }: Omit<PasswordReset, 'message'>) {
  const linksQuery = useGetLinksAfterResetQuery({ ticket });
  const [remove] = useRemoveAccessMutation();
  const [removal, setRemoval] = useState<Removal>('none');
  const [access, setAccess] = useState(given);
  const failure = failureOf([linksQuery, fallbacks.fetchData]);
  const lines = accessLines(access, removal === 'done' ? [] : (linksQuery.data ?? []));
  const keepsPasskeys = access.keepsPasskeys && (
    <Text size="sm">
      Your passkeys still work: your role needs one. Check them after you sign in, under “Sign-in and Security”.
    </Text>
  );

  const confirm = async () => {
    setRemoval('running');
    const { data, error } = await remove({ ticket });
    if (!data) {
      setRemoval('none');
      toast.error(errorMessage(error, removeFailed), { id: 'remove-access' });
      return;
    }
    setAccess(data);
    setRemoval('done');
  };

  if (removal === 'done') {
    return (
      <Alert role="status" color="teal" icon={<IconCheck />} title="All other access was removed." mt="md">
        {keepsPasskeys}
      </Alert>
    );
  }
  return (
    <Stack gap="sm" mt="md">
      {endedSignIns.length > 0 && (
        <section aria-label="Signed out">
          <Title order={2} size="h5">
            Signed out
          </Title>
          <Text component="ul" size="sm" my={4} pl="md">
            {endedSignIns.map(({ browser, system, lastUsedAt }) => (
              <li key={`${browser} ${system} ${lastUsedAt}`}>
                {[browser, system].filter(Boolean).join(' on ') || 'Unknown device'}, last used{' '}
                <TimeAgo at={lastUsedAt} />
              </li>
            ))}
          </Text>
        </section>
      )}
      {failure && <PartFailure {...failure} />}
      {lines.length > 0 && (
        <section aria-label="Still has access">
          <Title order={2} size="h5">
            Still has access
          </Title>
          <Text component="ul" size="sm" my={4} pl="md">
            {lines.map(({ key, line }) => (
              <li key={key}>{line}</li>
            ))}
          </Text>
          <Button
            variant="light"
            color="red"
            fullWidth
            mt="md"
            leftSection={<IconAlertTriangle size={18} stroke={1.5} aria-hidden />}
            loading={removal === 'running'}
            onClick={() => setRemoval('asking')}
          >
            Remove all other access
          </Button>
          <Text size="xs" c="dimmed" mt={4}>
            Do this if someone else may have used your account. You can add your own access again after you sign in.
          </Text>
        </section>
      )}
      {keepsPasskeys}
      <ConfirmDialog
        opened={removal === 'asking'}
        title="Remove all other access?"
        confirmLabel="Remove all"
        onConfirm={() => void confirm()}
        onCancel={() => setRemoval('none')}
      >
        Passkeys and linked accounts are removed, share links stop working, and every device is signed out.
      </ConfirmDialog>
    </Stack>
  );
}
