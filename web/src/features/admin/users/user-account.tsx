import type { PasswordLink } from '@interview-prep/contracts/auth/password-link';
import { Role, type User } from '@interview-prep/contracts/auth/users';
import { Button, Divider, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { roleName } from '../../../lib/formats.ts';
import { messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { PasswordLinkNotice } from './password-link-notice.tsx';
import {
  useChangeRoleMutation,
  useEndSignInsMutation,
  useResetSecondFactorMutation,
  useSendPasswordLinkMutation,
} from './users-api.ts';

/** What is done to an account after the admin has confirmed it. */
const actions = {
  endSignIns: {
    label: 'End all sign-ins',
    title: 'End all sign-ins?',
    done: 'The sign-ins were ended',
    text: (email: string) => `${email} is signed out on every device, and can sign in again.`,
  },
  resetSecondFactor: {
    label: 'Remove second factor',
    title: 'Remove the second factor?',
    done: 'The second factor was removed',
    text: (email: string) =>
      `The authenticator app, recovery codes and passkeys of ${email} stop working, and ${email} will be signed out everywhere. Make sure the request really comes from them.`,
  },
} as const;

/** The account of another user: role, password link, sign-ins, second factor. */
export function UserAccount({ user }: { user: User }) {
  const [changeRole, roleChange] = useChangeRoleMutation();
  const [sendLink, sending] = useSendPasswordLinkMutation();
  const [endSignIns, ending] = useEndSignInsMutation();
  const [resetSecondFactor, resetting] = useResetSecondFactorMutation();
  const [role, setRole] = useState(user.role);
  const [passwordLink, setPasswordLink] = useState<PasswordLink | null>(null);
  const [asking, setAsking] = useState<keyof typeof actions | 'role' | null>(null);

  const confirmRole = async () => {
    setAsking(null);
    const { error } = await changeRole({ id: user.id, role });
    if (!error) return toast.success('The role was changed');
    setRole(user.role);
    toast.error(errorMessage(error, messages.users.updateFailed));
  };
  const confirm = async (action: keyof typeof actions) => {
    setAsking(null);
    const { error } = await (action === 'endSignIns'
      ? endSignIns({ id: user.id })
      : resetSecondFactor({ id: user.id }));
    if (error) toast.error(errorMessage(error, messages.users.updateFailed));
    else toast.success(actions[action].done);
  };
  const send = async () => {
    const { data, error } = await sendLink({ id: user.id });
    if (data) setPasswordLink(data.passwordLink);
    else toast.error(errorMessage(error, messages.users.updateFailed));
  };

  return (
    <Stack gap="sm" component="section" aria-label={`Account of ${user.email}`} mt="lg">
      <Divider />
      <Title order={3} size="h5">
        Account
      </Title>
      <NativeSelect
        label="Role"
        value={role}
        data={Role.options.map((value) => ({ value, label: roleName(value) }))}
        onChange={(event) => {
          setRole(event.currentTarget.value as Role);
          setAsking('role');
        }}
        disabled={roleChange.isLoading}
      />
      {passwordLink && <PasswordLinkNotice email={user.email} passwordLink={passwordLink} />}
      <Button variant="default" loading={sending.isLoading} onClick={() => void send()}>
        Send a password link
      </Button>
      <Button variant="default" loading={ending.isLoading} onClick={() => setAsking('endSignIns')}>
        {actions.endSignIns.label}
      </Button>
      <Button variant="default" loading={resetting.isLoading} onClick={() => setAsking('resetSecondFactor')}>
        {actions.resetSecondFactor.label}
      </Button>
      <ConfirmDialog
        destructive={false}
        opened={asking === 'role'}
        title="Change the role?"
        confirmLabel={`Make ${user.email} ${roleName(role)}`}
        onConfirm={() => void confirmRole()}
        onCancel={() => {
          setAsking(null);
          setRole(user.role);
        }}
      >
        <Text>{user.email} will be signed out and will have the new role at the next sign-in.</Text>
      </ConfirmDialog>
      {(['endSignIns', 'resetSecondFactor'] as const).map((action) => (
        <ConfirmDialog
          key={action}
          opened={asking === action}
          title={actions[action].title}
          confirmLabel={actions[action].label}
          onConfirm={() => void confirm(action)}
          onCancel={() => setAsking(null)}
        >
          {actions[action].text(user.email)}
        </ConfirmDialog>
      ))}
    </Stack>
  );
}
