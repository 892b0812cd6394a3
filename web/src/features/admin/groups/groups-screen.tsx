import type { Group } from '@interview-prep/contracts/auth/groups';
import { Anchor, Badge, Button, Modal, Group as Row, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { ListToolbar, Pager, useListPage } from '../../../components/list-page.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useCreateGroupMutation, useListGroupsQuery } from '../../../lib/api/groups-api.ts';
import { countOf } from '../../../lib/formats.ts';
import { paths } from '../../../lib/paths.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import table from '../card-table.module.css';
import { ListSkeleton, NoMatch } from '../list-skeleton.tsx';

const pageSize = 20;
const none: readonly Group[] = [];
const coachNames = ({ coaches }: Group) => coaches.map(({ name, email }) => name ?? email).join(', ');
const textOf = (group: Group) => `${group.name} ${coachNames(group)}`;

/** Asks for a name, creates the group and opens it. */
function NewGroupDialog({ onClose }: { onClose: () => void }) {
  const [create, { isLoading, error }] = useCreateGroupMutation();
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ name });
    if (data) void navigate(paths.group(data.id));
  };
  return (
    <Modal opened onClose={onClose} title="New group">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="Name"
            data-autofocus
            value={name}
            maxLength={100}
            error={error && errorMessage(error, 'Failed to create the group')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Row justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isLoading}>
              Create group
            </Button>
          </Row>
        </Stack>
      </form>
    </Modal>
  );
}

function GroupRow({ group }: { group: Group }) {
  const { id, name, role, memberCount, archivedAt } = group;
  return (
    <Table.Tr>
      <Table.Td className={table.title ?? ''}>
        <Anchor component={Link} to={paths.group(id)} fw={550}>
          {name}
        </Anchor>
      </Table.Td>
      <Table.Td>{coachNames(group) || <Text c="dimmed">No coach yet</Text>}</Table.Td>
      <Table.Td className="tabular">{countOf(memberCount, 'member')}</Table.Td>
      <Table.Td>
        {role && (
          <Badge variant="light" tt="none" fw={500}>
            {role === 'coach' ? 'Coach' : 'Member'}
          </Badge>
        )}{' '}
        {archivedAt && (
          <Badge variant="default" tt="none" fw={500}>
            Archived
          </Badge>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** The user's groups; for admins, all groups. */
export default function GroupsScreen() {
  const query = useListGroupsQuery(undefined, { refetchOnMountOrArgChange: true });
  const isAdmin = useAppSelector(selectUser)?.role === 'admin';
  const [creating, setCreating] = useState(false);
  // Archived groups last.
  const groups = (query.data ?? none).toSorted((a, b) => Number(a.archivedAt !== null) - Number(b.archivedAt !== null));
  const list = useListPage(groups, textOf, pageSize);
  const failure = failureOf([query, 'Failed to fetch groups']);
  const screen = {
    title: 'Groups',
    lead: isAdmin
      ? 'Coaches invite people to their group, give them work, and see what they do for it.'
      : 'Coaches see what you do for their group. Your own practice stays private.',
    actions: (
      <Row gap="xs">
        <Button component={Link} to={paths.join} variant="default">
          Join with a code
        </Button>
        {(isAdmin || groups.some(({ role }) => role === 'coach')) && (
          <Button component={Link} to={paths.integrations} variant="default">
            Integrations
          </Button>
        )}
        {isAdmin && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            New group
          </Button>
        )}
      </Row>
    ),
  };
  if (!query.data) {
    return (
      <Screen {...screen}>{failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading groups…" />}</Screen>
    );
  }
  return (
    <Screen {...screen}>
      <Stack gap="md">
        {failure && <PartFailure {...failure} />}
        {list.total > 0 && <ListToolbar list={list} nouns={['group', 'groups']} />}
        {list.total === 0 && (
          <Notice icon={<IconUsersGroup size={32} stroke={1.5} />} title="No groups yet">
            {isAdmin ? 'Create a group, then choose its coach.' : 'A coach invites you by mail, or gives you a code.'}
          </Notice>
        )}
        {list.total > 0 && list.found === 0 && <NoMatch list={list} says="No group matches" />}
        {list.found > 0 && (
          <Table className={table.table ?? ''} verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                {['Name', 'Coaches', 'Members', 'You'].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.items.map((group) => (
                <GroupRow key={group.id} group={group} />
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Pager {...list} />
      </Stack>
      {creating && <NewGroupDialog onClose={() => setCreating(false)} />}
    </Screen>
  );
}
