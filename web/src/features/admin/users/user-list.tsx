import { type ListedUser, Role, type User } from '@interview-prep/contracts/auth/users';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { NativeSelect } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import bordered from '../../../components/bordered-list.module.css';
import { ListToolbar, Pager, useListPage } from '../../../components/list-page.tsx';
import { Notice } from '../../../components/notice.tsx';
import { roleName } from '../../../lib/formats.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { useAddressFields } from '../../../lib/use-address-fields.ts';
import { NoMatch } from '../list-skeleton.tsx';
import { SeveralUsers } from './several-users.tsx';
import { UserRow } from './user-row.tsx';

const pageSize = 20;
const dayMs = 24 * 60 * 60_000;

const filters: readonly { value: string; label: string; holds: (user: ListedUser) => boolean }[] = [
  { value: '', label: 'Everyone', holds: () => true },
  ...Role.options.map((value) => ({
    value,
    label: `Role: ${roleName(value)}`,
    holds: ({ role }: ListedUser) => role === value,
  })),
  { value: 'never', label: 'Never signed in', holds: ({ lastSeen }) => lastSeen === null },
  { value: 'week', label: 'Seen in the last 7 days', holds: seenWithin(7) },
  { value: 'away', label: 'Not seen for 30 days', holds: (user) => user.lastSeen !== null && !seenWithin(30)(user) },
  { value: 'suspended', label: 'Suspended', holds: ({ suspendedAt }) => suspendedAt !== undefined },
];

function seenWithin(days: number) {
  return ({ lastSeen }: ListedUser) => lastSeen !== null && Date.now() - Date.parse(lastSeen) < days * dayMs;
}

interface UserListProps {
  users: readonly ListedUser[];
  technologies: readonly Technology[];
  editedId: string | undefined;
  /** The user whose edit has just ended: the row takes the focus back. */
  justEditedId: string | null;
  onEdit: (user: User) => void;
  onDownload: (user: User) => void;
  onDelete: (user: User) => void;
}

/** All users, with search and paging. */
export function UserList({ users, technologies, editedId, justEditedId, onEdit, onDownload, onDelete }: UserListProps) {
  const ownId = useAppSelector(selectUser)?.id;
  const [fields, change] = useAddressFields();
  const filter = fields.get('show') ?? '';
  const shown = users.filter((user) => filters.find(({ value }) => value === filter)?.holds(user) ?? true);
  const [selected, setSelected] = useState<readonly string[]>([]);
  // Never change users that a filter or a deletion hides.
  const several = shown.filter(({ id }) => selected.includes(id));
  const list = useListPage(
    shown,
    ({ email, name = '', role, technologies: slugs }) => `${email} ${name} ${roleName(role)} ${slugs.join(' ')}`,
    pageSize,
  );
  return (
    <>
      <NativeSelect
        aria-label="Show"
        value={filter}
        data={filters.map(({ value, label }) => ({ value, label }))}
        onChange={(event) => change({ page: '', show: event.currentTarget.value })}
      />
      <ListToolbar list={list} nouns={['user', 'users']} />
      {several.length > 0 && <SeveralUsers users={several} onClear={() => setSelected([])} />}
      {list.total === 0 && users.length > 0 && (
        <Notice icon={<IconUsers size={32} stroke={1.5} />} title="No user matches">
          Choose another filter.
        </Notice>
      )}
      {users.length === 0 && (
        <Notice icon={<IconUsers size={32} stroke={1.5} />} title="No users yet">
          Use the form to add the first user.
        </Notice>
      )}
      {list.total > 0 && list.found === 0 && <NoMatch list={list} says="No user matches" />}
      {list.found > 0 && (
        <ul className={bordered.list}>
          {list.items.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              technologies={technologies}
              own={user.id === ownId}
              selected={selected.includes(user.id)}
              onSelect={(is) => setSelected(is ? [...selected, user.id] : selected.filter((id) => id !== user.id))}
              edited={editedId === user.id}
              justEdited={justEditedId === user.id}
              onEdit={() => onEdit(user)}
              onDownload={() => onDownload(user)}
              onDelete={() => onDelete(user)}
            />
          ))}
        </ul>
      )}
      <Pager {...list} />
    </>
  );
}
