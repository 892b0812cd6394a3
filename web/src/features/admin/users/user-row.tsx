import type { ListedUser } from '@interview-prep/contracts/auth/users';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Badge, Box, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import { TimeAgo } from '../../../components/times.tsx';
import { exactTime, roleName } from '../../../lib/formats.ts';
import rows from '../row-list.module.css';
import { IconAction, useFocusBack } from '../use-deletion.tsx';
import classes from './users-screen.module.css';

interface UserRowProps {
  user: ListedUser;
  technologies: readonly Technology[];
  /** Whether this is the admin's own row, which can't be deleted. */
  own: boolean;
  selected: boolean;
  onSelect: (selected: boolean) => void;
  edited: boolean;
  /** Whether its edit has just ended, so that it takes the focus back. */
  justEdited: boolean;
  onEdit: () => void;
  onDownload: () => void;
  onDelete: () => void;
}

/** Maps slugs to names; keeps the slug if its technology is gone. */
const namesOf = (slugs: readonly string[], technologies: readonly Technology[]) =>
  slugs.map((slug) => technologies.find((technology) => technology.slug === slug)?.name ?? slug).join(', ');

/** A user with Edit and Delete. */
export function UserRow({
  user,
  technologies,
  own,
  selected,
  onSelect,
  edited,
  justEdited,
  onEdit,
  onDownload,
  onDelete,
}: UserRowProps) {
  const editButton = useFocusBack(justEdited);
  // Break long emails before the @.
  const [mailbox, domain] = user.email.split(/(?=@)/);
  return (
    <li className={`${rows.row} ${classes.row}`} aria-current={edited || undefined}>
      {!own && (
        <Checkbox
          mr="sm"
          aria-label={`Select ${user.email}`}
          checked={selected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      )}
      <Stack gap={2} flex={1} miw={0}>
        <Group gap="4px 8px">
          <Text fw={550}>
            {mailbox}
            <wbr />
            {domain}
          </Text>
          <Badge variant="default" size="sm" tt="none" fw={500}>
            {roleName(user.role)}
          </Badge>
          {user.suspendedAt && (
            <Badge variant="light" color="orange" size="sm" tt="none" fw={500} title={exactTime(user.suspendedAt)}>
              Suspended
            </Badge>
          )}
          {own && (
            <Badge variant="light" size="sm" tt="none" fw={500}>
              You
            </Badge>
          )}
        </Group>
        {user.name && <Text size="sm">{user.name}</Text>}
        <Text size="sm" c="dimmed">
          {namesOf(user.technologies, technologies) || 'No technologies'}
        </Text>
        <Text size="xs" c="dimmed">
          {user.lastSeen ? (
            <>
              Last seen <TimeAgo at={user.lastSeen} />
            </>
          ) : (
            'Never signed in'
          )}
        </Text>
      </Stack>
      <IconAction ref={editButton} aria-label={`Edit ${user.email}`} onClick={onEdit}>
        <IconPencil size={18} stroke={1.5} aria-hidden />
      </IconAction>
      <IconAction aria-label={`Download the data of ${user.email}`} onClick={onDownload}>
        <IconDownload size={18} stroke={1.5} aria-hidden />
      </IconAction>
      {own ? (
        <Box component="span" w={34} />
      ) : (
        <IconAction color="red" aria-label={`Delete ${user.email}`} onClick={onDelete}>
          <IconTrash size={18} stroke={1.5} aria-hidden />
        </IconAction>
      )}
    </li>
  );
}
