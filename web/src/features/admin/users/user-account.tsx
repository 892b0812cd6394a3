import type { PasswordLink } from '@interview-prep/contracts/auth/password-link';
import { Role, type User } from '@interview-prep/contracts/auth/users';
import { Button, Divider, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useEditConflict } from '../../../components/edit-conflict.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { roleName } from '../../../lib/formats.ts';
import { messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { PasswordLinkNotice } from './password-link-notice.tsx';
import {
  useChangeEmailMutation,
  useChangeNameMutation,
  useChangeRoleMutation,
  useEndSignInsMutation,
  useResetSecondFactorMutation,
  useSendPasswordLinkMutation,
  useSuspendUserMutation,
} from './users-api.ts';

/** Account actions that require confirmation. */
const actions = {
  suspend: {
    label: 'Suspend',
    title: 'Suspend this user?',
    done: (email: string) => `${email} was suspended`,
    text: (email: string) =>
      `${email} will be signed out immediately and cannot sign in until you lift the suspension. Nothing is deleted.`,
  },
  endSignIns: {
    label: 'End all sign-ins',
    title: 'End all sign-ins?',
    done: (email: string) => `${email} was signed out everywhere`,
    text: (email: string) => `${email} is signed out on every device, and can sign in again.`,
  },
  resetSecondFactor: {
    label: 'Remove second factor',
    title: 'Remove the second factor?',
    done: (email: string) => `The second factor of ${email} was removed`,
    text: (email: string) =>
      `The authenticator app, recovery codes and passkeys of ${email} stop working, and ${email} will be signed out everywhere. Make sure the request really comes from them.`,
  },
} as const;

/** Another user's account: name, email, role, suspension, password link, sign-ins, second factor. */
export function UserAccount({ user }: { user: User }) {
  const [changeRole, roleChange] = useChangeRoleMutation();
  const [sendLink, sending] = useSendPasswordLinkMutation();
  const [endSignIns, ending] = useEndSignInsMutation();
  const [resetSecondFactor, resetting] = useResetSecondFactorMutation();
  const [suspend, suspending] = useSuspendUserMutation();
  const [changeEmail, emailChange] = useChangeEmailMutation();
  const [changeName, nameChange] = useChangeNameMutation();
  const [email, setEmail] = useState(user.email);
  const [name, setName] = useState(user.name ?? '');
  const [role, setRole] = useState(user.role);
  const [passwordLink, setPasswordLink] = useState<PasswordLink | null>(null);
  const [asking, setAsking] = useState<keyof typeof actions | 'role' | 'email' | null>(null);

  const conflict = useEditConflict(async () => {
    // The list has been reloaded: `user` has the current state.
    setEmail(user.email);
    setName(user.name ?? '');
    setRole(user.role);
  });

  /** Submits an edit, handles edit conflicts, and reports the outcome. */
  const edit = async (
    change: (version: string | undefined) => Promise<{ error?: unknown }>,
    done: string,
    undo?: () => void,
    version = user.version,
  ) => {
    setAsking(null);
    const { error } = await change(version);
    if (!error) return toast.success(done);
    if (conflict.caught(error, (newer) => edit(change, done, undo, newer))) return;
    undo?.();
    toast.error(errorMessage(error, messages.users.updateFailed));
  };
  const { id } = user;
  const confirmRole = () =>
    edit(
      (version) => changeRole({ id, role, version }),
      `${user.email} now has the role ${roleName(role)}`,
      () => setRole(user.role),
    );
  const confirm = (action: keyof typeof actions) =>
    edit((version) => {
      if (action === 'suspend') return suspend({ id, suspended: true, version });
      return action === 'endSignIns' ? endSignIns({ id }) : resetSecondFactor({ id });
    }, actions[action].done(user.email));
  const lift = () => edit((version) => suspend({ id, suspended: false, version }), `${user.email} can sign in again`);
  const confirmEmail = () =>
    edit((version) => changeEmail({ id, email, version }), `${user.email} now signs in with ${email.trim()}`);
  const saveName = () => edit((version) => changeName({ id, name, version }), `The name of ${user.email} was changed`);
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
      {conflict.dialog}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void saveName();
        }}
      >
        <TextInput
          label="Name"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {name.trim() !== (user.name ?? '') && (
          <Button type="submit" variant="default" mt="xs" loading={nameChange.isLoading}>
            Change name
          </Button>
        )}
      </form>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setAsking('email');
        }}
      >
        <TextInput
          label="Email for signing in"
          type="email"
          required
          withAsterisk={false}
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        {email.trim().toLowerCase() !== user.email && (
          <Button type="submit" variant="default" mt="xs" loading={emailChange.isLoading}>
            Change email
          </Button>
        )}
      </form>
      <NativeSelect
        size="md"
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
      {user.suspendedAt ? (
        <Button variant="default" loading={suspending.isLoading} onClick={() => void lift()}>
          Lift the suspension
        </Button>
      ) : (
        <Button variant="light" color="red" loading={suspending.isLoading} onClick={() => setAsking('suspend')}>
          {actions.suspend.label}
        </Button>
      )}
      <Button variant="light" color="red" loading={ending.isLoading} onClick={() => setAsking('endSignIns')}>
        {actions.endSignIns.label}
      </Button>
      <Button variant="light" color="red" loading={resetting.isLoading} onClick={() => setAsking('resetSecondFactor')}>
        {actions.resetSecondFactor.label}
      </Button>
      <ConfirmDialog
        destructive={false}
        opened={asking === 'role'}
        title="Change the role?"
        confirmLabel={`Make ${user.email} ${role === 'admin' ? 'an admin' : `a ${roleName(role).toLowerCase()}`}`}
        onConfirm={() => void confirmRole()}
        onCancel={() => {
          setAsking(null);
          setRole(user.role);
        }}
      >
        <Text>{user.email} will be signed out and will have the new role at the next sign-in.</Text>
      </ConfirmDialog>
      <ConfirmDialog
        destructive={false}
        opened={asking === 'email'}
        title="Change the email?"
        confirmLabel="Change email"
        onConfirm={() => void confirmEmail()}
        onCancel={() => setAsking(null)}
      >
        <Text>
          {user.email} will be signed out and signs in with {email.trim()} from then on.
        </Text>
      </ConfirmDialog>
      {(['suspend', 'endSignIns', 'resetSecondFactor'] as const).map((action) => (
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
