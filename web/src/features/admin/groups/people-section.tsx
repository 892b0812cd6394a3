import type { GroupDetail, GroupPerson } from '@interview-prep/contracts/auth/groups';
import { Badge, Button, Stack, Text, Title } from '@mantine/core';
import { IconUserPlus, IconUsers, IconX } from '@tabler/icons-react';
import bordered from '../../../components/bordered-list.module.css';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { ListToolbar, Pager, useListPage } from '../../../components/list-page.tsx';
import { Notice } from '../../../components/notice.tsx';
import { TimeAgo } from '../../../components/times.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useLeaveGroupMutation, useSetGroupRoleMutation } from '../../../lib/api/groups-api.ts';
import { toast } from '../../../lib/toasts.ts';
import { NoMatch } from '../list-skeleton.tsx';
import rows from '../row-list.module.css';
import { IconAction, useDeletion, useInFlight } from '../use-deletion.tsx';
import classes from './group-screen.module.css';

const pageSize = 50;
const nameOf = ({ name, email }: GroupPerson) => name ?? email;

interface PeopleSectionProps {
  group: GroupDetail;
  refetch: () => Promise<unknown>;
  onInvite: () => void;
}

/** The people of a group, coaches first, with the actions that a coach may take. */
export function PeopleSection({ group, refetch, onInvite }: PeopleSectionProps) {
  const [setRole] = useSetGroupRoleMutation();
  const [remove] = useLeaveGroupMutation();
  const [busy, run] = useInFlight();
  const people = group.people.toSorted(
    (a, b) => a.role.localeCompare(b.role) || nameOf(a).localeCompare(nameOf(b), 'en'),
  );
  const list = useListPage(people, ({ name = '', email }) => `${name} ${email}`, pageSize);
  const removal = useDeletion<GroupPerson>({
    remove: ({ userId }) => remove({ id: group.id, userId }),
    refetch,
    done: (person) => `${nameOf(person)} was removed from the group`,
    failed: 'Failed to remove the person',
  });
  const change = (person: GroupPerson) =>
    run(async () => {
      const role = person.role === 'coach' ? 'member' : 'coach';
      const { error } = await setRole({ id: group.id, userId: person.userId, role });
      if (error) toast.error(errorMessage(error, 'Failed to change the person'));
      else toast.success(`${nameOf(person)} is now a ${role}`);
    });
  const isArchived = group.archivedAt !== null;
  const about = removal.about ? nameOf(removal.about) : '';

  return (
    <Stack component="section" gap="sm" aria-labelledby="people">
      <Title order={2} size="h3" id="people">
        People
      </Title>
      {list.total > 0 && <ListToolbar list={list} nouns={['person', 'people']} />}
      {list.total === 0 && (
        <Notice
          icon={<IconUsers size={32} stroke={1.5} />}
          title="Nobody is in this group yet"
          action={
            !isArchived && (
              <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={onInvite}>
                Invite people
              </Button>
            )
          }
        />
      )}
      {list.total > 0 && list.found === 0 && <NoMatch list={list} says="Nobody matches" />}
      {list.found > 0 && (
        <ul className={bordered.list} aria-label="People">
          {list.items.map((person) => (
            <li key={person.userId} className={`${rows.row} ${classes.row}`}>
              <div className={classes.who}>
                <Text fw={550}>{nameOf(person)}</Text>
                <Text size="sm" c="dimmed">
                  {person.name && `${person.email} · `}Joined <TimeAgo at={person.joinedAt} />
                </Text>
              </div>
              {person.role === 'coach' && (
                <Badge variant="light" tt="none" fw={500}>
                  Coach
                </Badge>
              )}
              {!isArchived && (
                <Button
                  size="xs"
                  variant="default"
                  disabled={busy}
                  aria-label={`${person.role === 'coach' ? 'Make a member' : 'Make a coach'}: ${nameOf(person)}`}
                  onClick={() => void change(person)}
                >
                  {person.role === 'coach' ? 'Make a member' : 'Make a coach'}
                </Button>
              )}
              <IconAction
                color="red"
                aria-label={`Remove ${nameOf(person)}`}
                disabled={busy}
                onClick={() => removal.ask(person)}
              >
                <IconX size={18} stroke={1.5} aria-hidden />
              </IconAction>
            </li>
          ))}
        </ul>
      )}
      <Pager {...list} />
      <ConfirmDialog {...removal.dialog} title={`Remove ${about}?`} confirmLabel={`Remove ${about}`}>
        {about} leaves the group. What they did for its assignments stays theirs, and the coaches no longer see it.
      </ConfirmDialog>
    </Stack>
  );
}
