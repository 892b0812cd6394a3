import type { SignInPlace } from '@interview-prep/contracts/auth/sign-ins';
import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { failureOf, PartFailure } from '../../../components/load-failure.tsx';
import { TimeAgo } from '../../../components/times.tsx';
import {
  useEndOtherSignInsMutation,
  useEndSignInMutation,
  useListSignInsQuery,
} from '../../../lib/api/account-security-api.ts';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import formClasses from '../account-form.module.css';
import classes from './passkeys.module.css';

const failed = 'Failed to end the sign-in';
const phones = new Set(['Android', 'iOS']);

const deviceOf = ({ browser, system }: SignInPlace) =>
  [browser, system].filter(Boolean).join(' on ') || 'Unknown device';

const networks = { this: ' (this network)', private: ' (private network)', public: '' } as const;
const placeOf = ({ address, network }: SignInPlace) => (address ? `${address}${networks[network]}` : 'Unknown address');

/** The user's active sign-ins. `factorChanged`: whether a sign-in method has just changed. */
export function SignIns({ factorChanged }: { factorChanged: boolean }) {
  const query = useListSignInsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [end] = useEndSignInMutation();
  const [endOthers, ending] = useEndOtherSignInsMutation();
  const [asking, setAsking] = useState<SignInPlace | 'others' | null>(null);
  const failure = failureOf([query, fallbacks.fetchData]);
  const signIns = query.data ?? [];
  const others = signIns.filter(({ isThis }) => !isThis);

  const confirm = async () => {
    const asked = asking;
    setAsking(null);
    if (asked === null) return;
    const { error } = asked === 'others' ? await endOthers() : await end({ signInId: asked.id });
    if (error) toast.error(errorMessage(error, failed));
    else toast.success(asked === 'others' ? 'Signed out everywhere else' : `${deviceOf(asked)} was signed out`);
  };

  return (
    <section className={formClasses.card} aria-labelledby="sign-ins">
      <Stack>
        <Title order={2} size="h4" id="sign-ins">
          Where you're signed in
        </Title>
        {failure && <PartFailure {...failure} />}
        {factorChanged && others.length > 0 && (
          <Alert role="status" title="You changed how you sign in">
            Your other devices are still signed in. Sign out everywhere else if one of them may not be yours.
          </Alert>
        )}
        <ul className={classes.list}>
          {signIns.map((signIn) => (
            <li key={signIn.id}>
              {signIn.system && phones.has(signIn.system) ? (
                <IconDeviceMobile size={18} stroke={1.5} aria-hidden />
              ) : (
                <IconDeviceDesktop size={18} stroke={1.5} aria-hidden />
              )}
              <div>
                <Group gap={8}>
                  <Text size="sm" fw={550}>
                    {deviceOf(signIn)}
                  </Text>
                  {signIn.isThis && (
                    <Badge variant="light" size="sm" tt="none">
                      This device
                    </Badge>
                  )}
                </Group>
                <Text size="xs" c="dimmed">
                  {placeOf(signIn)}
                </Text>
                <Text size="xs" c="dimmed">
                  Signed in <TimeAgo at={signIn.signedInAt} />, last used <TimeAgo at={signIn.lastUsedAt} />
                </Text>
              </div>
              {!signIn.isThis && (
                <Button
                  variant="subtle"
                  color="red"
                  size="xs"
                  aria-label={`Sign out ${deviceOf(signIn)}`}
                  onClick={() => setAsking(signIn)}
                >
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
        {others.length > 0 && (
          <div className={formClasses.actions}>
            <Button variant="light" color="red" loading={ending.isLoading} onClick={() => setAsking('others')}>
              Sign out everywhere else
            </Button>
          </div>
        )}
      </Stack>
      <ConfirmDialog
        opened={asking !== null}
        title={asking === 'others' ? 'Sign out everywhere else?' : `Sign out ${asking ? deviceOf(asking) : ''}?`}
        confirmLabel={asking === 'others' ? 'Sign out everywhere else' : 'Sign out'}
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(null)}
      >
        {asking === 'others' ? 'Your other devices are' : 'This device is'} signed out right away. Answers that were not
        sent stay there.
      </ConfirmDialog>
    </section>
  );
}
