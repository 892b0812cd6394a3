import { Role, type User } from '@interview-prep/contracts/auth/users';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { countOf, roleName } from '../../../lib/formats.ts';
import { messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { useInFlight } from '../use-deletion.tsx';
import { useChangeRoleMutation, useDeleteUserMutation, useSuspendUserMutation } from './users-api.ts';

type Action = 'suspend' | 'lift' | 'delete' | Role;

/** The confirmation and success texts of an action; `who` is "3 users". */
const words: Readonly<
  Record<'suspend' | 'lift' | 'delete' | 'role', { ask: (who: string) => string; text: string; done: string }>
> = {
  suspend: {
    ask: (who) => `Suspend ${who}`,
    text: 'They will be signed out immediately and cannot sign in until you lift the suspension.',
    done: 'suspended',
  },
  lift: { ask: (who) => `Lift the suspension of ${who}`, text: 'They can sign in again.', done: 'can sign in again' },
  delete: {
    ask: (who) => `Delete ${who}`,
    text: 'They will be signed out immediately. Their sessions, recordings, transcripts and verdicts are deleted too. This cannot be undone.',
    done: 'deleted',
  },
  role: {
    ask: (who) => `Change the role of ${who}`,
    text: 'They will be signed out and will have the new role at the next sign-in.',
    done: 'changed',
  },
};

interface SeveralUsersProps {
  users: readonly User[];
  onClear: () => void;
}

/** Bulk changes to users, one at a time: role, suspension, deletion. Names the users that failed. */
export function SeveralUsers({ users, onClear }: SeveralUsersProps) {
  const [changeRole] = useChangeRoleMutation();
  const [suspend] = useSuspendUserMutation();
  const [remove] = useDeleteUserMutation();
  const [asking, setAsking] = useState<Action | null>(null);
  const [busy, run] = useInFlight();
  const who = countOf(users.length, 'user');
  const role = Role.safeParse(asking).data;
  const { ask, text, done } = words[role ? 'role' : ((asking ?? 'suspend') as keyof typeof words)];

  const change = ({ id, version }: User) => {
    if (role) return changeRole({ id, role, version });
    return asking === 'delete' ? remove({ id }) : suspend({ id, suspended: asking === 'suspend', version });
  };
  const confirm = () =>
    run(async () => {
      const failures: string[] = [];
      for (const user of users) {
        const { error } = await change(user);
        if (error) failures.push(`${user.email}: ${errorMessage(error, messages.users.updateFailed)}`);
      }
      setAsking(null);
      if (failures.length < users.length) toast.success(`${countOf(users.length - failures.length, 'user')} ${done}`);
      if (failures.length > 0) toast.error(failures.join(' · '));
      else onClear();
    });

  return (
    <Group gap="xs" role="group" aria-label={`${who} selected`}>
      <Text size="sm" fw={600} className="tabular">
        {users.length} selected
      </Text>
      <NativeSelect
        size="xs"
        aria-label="Role of the selected users"
        value=""
        data={[
          { value: '', label: 'Change role…' },
          ...Role.options.map((value) => ({ value, label: roleName(value) })),
        ]}
        onChange={(event) => setAsking(event.currentTarget.value as Role)}
      />
      <Button size="xs" variant="light" color="red" onClick={() => setAsking('suspend')}>
        Suspend selected
      </Button>
      <Button size="xs" variant="default" onClick={() => setAsking('lift')}>
        Lift suspension
      </Button>
      <Button size="xs" variant="light" color="red" onClick={() => setAsking('delete')}>
        Delete selected
      </Button>
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear
      </Button>
      <ConfirmDialog
        opened={asking !== null}
        title={`${ask(who)}?`}
        confirmLabel={ask(who)}
        destructive={asking === 'delete' || asking === 'suspend'}
        busy={busy}
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(null)}
      >
        {role && <Text mb="xs">New role: {roleName(role)}.</Text>}
        {text} {users.map(({ email }) => email).join(', ')}
      </ConfirmDialog>
    </Group>
  );
}
