import type { User } from '@interview-prep/contracts/auth/users';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { IconUsers } from '@tabler/icons-react';
import bordered from '../../../components/bordered-list.module.css';
import { ListToolbar } from '../../../components/list-toolbar.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Pager } from '../../../components/pager.tsx';
import { useListPage } from '../../../components/use-list-page.ts';
import { roleName } from '../../../lib/formats.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { NoMatch } from '../list-skeleton.tsx';
import { UserRow } from './user-row.tsx';

const pageSize = 20;

interface UserListProps {
  users: readonly User[];
  technologies: readonly Technology[];
  editedId: string | undefined;
  /** The user whose edit has just ended: the row takes the focus back. */
  justEditedId: string | null;
  onEdit: (user: User) => void;
  onDownload: (user: User) => void;
  onDelete: (user: User) => void;
}

/** Every user, searched and paged. */
export function UserList({ users, technologies, editedId, justEditedId, onEdit, onDownload, onDelete }: UserListProps) {
  const ownId = useAppSelector(selectUser)?.id;
  const list = useListPage(
    users,
    ({ email, role, technologies: slugs }) => `${email} ${roleName(role)} ${slugs.join(' ')}`,
    pageSize,
  );
  return (
    <>
      <ListToolbar list={list} nouns={['user', 'users']} />
      {list.total === 0 && (
        <Notice icon={<IconUsers size={32} stroke={1.5} />} title="No users yet">
          Use the form to add the first developer user.
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
