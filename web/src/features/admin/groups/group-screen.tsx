import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import { Alert, Button, Modal, Group as Row, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconArchive, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { AssignedWork } from '../../../components/assigned-work.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { WhatCoachesSee } from '../../../components/what-coaches-see.tsx';
import { errorMessage, isNotFound } from '../../../lib/api/api-error.ts';
import {
  useGetGroupQuery,
  useLeaveGroupMutation,
  useSetGroupRoleMutation,
  useUpdateGroupMutation,
} from '../../../lib/api/groups-api.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths } from '../../../lib/paths.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import { ListSkeleton } from '../list-skeleton.tsx';
import { useListUsersQuery } from '../users/users-api.ts';
import { AssignmentsSection } from './assignments-section.tsx';
import { CoursesSection } from './courses-section.tsx';
import classes from './group-screen.module.css';
import { InvitationsSection } from './invitations-section.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { JoinCodeCard } from './join-code-card.tsx';
import { NotInGroup } from './not-in-group.tsx';
import { PeopleSection } from './people-section.tsx';

/** Polling interval for new members, and for the progress of outgoing mail. */
const pollMs = 10_000;
const sendingPollMs = 2000;

/** Renames a group, or archives it. */
function EditDialog({ group, onClose }: { group: GroupDetail; onClose: () => void }) {
  const [update, { isLoading, error }] = useUpdateGroupMutation();
  const [name, setName] = useState(group.name);
  const isArchived = group.archivedAt !== null;
  const save = async (archived: boolean) => {
    const { error: refusal } = await update({ id: group.id, name, archived });
    if (refusal) return;
    toast.success(
      archived === isArchived ? `“${name}” saved` : `“${name}” ${archived ? 'archived' : 'is active again'}`,
    );
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title="Edit group">
      <Stack>
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          maxLength={100}
          error={error && errorMessage(error, 'Failed to change the group')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {isArchived
            ? 'No one can join an archived group. Bring it back to continue with it.'
            : 'Archiving ends its invitations and its code, and keeps everything for its coaches to see.'}
        </Text>
        <Row justify="space-between">
          <Button
            {...(isArchived ? { variant: 'default' } : { variant: 'light', color: 'red' })}
            leftSection={<IconArchive size={16} aria-hidden />}
            loading={isLoading}
            onClick={() => void save(!isArchived)}
          >
            {isArchived ? 'Bring back' : 'Archive'}
          </Button>
          <Button loading={isLoading} onClick={() => void save(isArchived)}>
            Save
          </Button>
        </Row>
      </Stack>
    </Modal>
  );
}

/** Lets admins make any user a coach of the group. */
function AddCoach({ group }: { group: GroupDetail }) {
  const { data: users = [] } = useListUsersQuery({});
  const [setRole] = useSetGroupRoleMutation();
  const coaches = new Set(group.coaches.map(({ userId }) => userId));
  const add = async (userId: string) => {
    const { error } = await setRole({ id: group.id, userId, role: 'coach' });
    if (error) toast.error(errorMessage(error, 'Failed to add the coach'));
    else toast.success('Coach added');
  };
  return (
    <Select
      label="Add a coach"
      description="Any user. Coaches see what members do for this group, and nothing else."
      placeholder="Search users"
      searchable
      limit={20}
      value={null}
      nothingFoundMessage="No user matches"
      data={users.flatMap(({ id, email, name }) =>
        coaches.has(id) ? [] : [{ value: id, label: name ? `${name} (${email})` : email }],
      )}
      onChange={(id) => id && void add(id)}
    />
  );
}

/** A member's view of a group, with the assignment named in the URL first. */
function MembersView({ group, firstId }: { group: GroupDetail; firstId: string | null }) {
  const userId = useAppSelector(selectUser)?.id ?? '';
  const [leave, { isLoading }] = useLeaveGroupMutation();
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const confirm = async () => {
    const { error } = await leave({ id: group.id, userId });
    if (error) return toast.error(errorMessage(error, 'Failed to leave the group'));
    toast.success(`You have left “${group.name}”`);
    void navigate(paths.groups);
  };
  return (
    <Stack>
      <AssignedWork now={Date.now()} groupId={group.id} firstId={firstId} />
      <WhatCoachesSee coaches={group.coaches.map(({ name, email }) => name ?? email)} />
      <Button variant="light" color="red" onClick={() => setAsking(true)} className={classes.leave ?? ''}>
        Leave the group
      </Button>
      <ConfirmDialog
        opened={asking}
        title={`Leave “${group.name}”?`}
        confirmLabel="Leave the group"
        busy={isLoading}
        onConfirm={() => void confirm()}
        onCancel={() => setAsking(false)}
      >
        Its coaches will no longer see your work, which stays yours. To come back you need a new invitation.
      </ConfirmDialog>
    </Stack>
  );
}

/** A group's page: coaches and admins manage its people, members see what coaches can see. */
export default function GroupScreen() {
  const { id = '' } = useParams();
  const openedId = new URLSearchParams(useLocation().hash.slice(1)).get('assignment');
  const user = useAppSelector(selectUser);
  const [polls, setPolls] = useState(false);
  const query = useGetGroupQuery(
    { id },
    {
      refetchOnMountOrArgChange: true,
      pollingInterval: polls ? sendingPollMs : pollMs,
      skipPollingIfUnfocused: true,
    },
  );
  const [dialog, setDialog] = useState<'invite' | 'edit' | null>(null);
  const group = query.data;
  const isSending = group?.invitations.some(({ state }) => state === 'queued') ?? false;
  if (isSending !== polls) setPolls(isSending);
  const isMissing = isNotFound(query.error);
  usePageTitle(group?.name ?? (isMissing ? 'Group not found' : undefined));

  if (isMissing || !group) {
    const failure = failureOf([query, 'Failed to fetch the group']);
    return (
      <Screen title={isMissing ? 'Group not found' : undefined}>
        {isMissing ? (
          <NotInGroup />
        ) : failure ? (
          <LoadFailure {...failure} />
        ) : (
          <ListSkeleton label="Loading the group…" />
        )}
      </Screen>
    );
  }

  const manages = user?.role === 'admin' || group.role === 'coach';
  // An admin can also be a member, sent to the assignment by a course.
  const isMembersView = !manages || (group.role === 'member' && openedId !== null);
  const isArchived = group.archivedAt !== null;
  const failure = failureOf([query, 'Failed to fetch the group']);
  const coaches = group.coaches.map(({ name, email }) => name ?? email).join(', ');
  return (
    <Screen
      title={group.name}
      lead={coaches === '' ? 'No coach yet' : `Coached by ${coaches}`}
      actions={
        isMembersView ? (
          manages && (
            <Button component={Link} to={paths.group(group.id)} variant="default">
              Manage group
            </Button>
          )
        ) : (
          <Row gap="xs">
            <Button variant="default" onClick={() => setDialog('edit')}>
              Edit group
            </Button>
            {!isArchived && (
              <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setDialog('invite')}>
                Invite people
              </Button>
            )}
          </Row>
        )
      }
    >
      <Stack gap="lg">
        {failure && <PartFailure {...failure} />}
        {isArchived && <Alert color="gray" title="This group is archived" />}
        {isMembersView ? (
          <MembersView group={group} firstId={openedId} />
        ) : (
          <div className={classes.columns}>
            <Stack gap="xl">
              <AssignmentsSection group={group} />
              <PeopleSection group={group} refetch={query.refetch} onInvite={() => setDialog('invite')} />
              <CoursesSection groupId={group.id} onMembers={query.refetch} />
              <InvitationsSection group={group} />
            </Stack>
            {!isArchived && (
              <Stack>
                <JoinCodeCard group={group} />
                {user?.role === 'admin' && <AddCoach group={group} />}
              </Stack>
            )}
          </div>
        )}
      </Stack>
      {dialog === 'invite' && <InviteDialog group={group} onClose={() => setDialog(null)} />}
      {dialog === 'edit' && <EditDialog group={group} onClose={() => setDialog(null)} />}
    </Screen>
  );
}
