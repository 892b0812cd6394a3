import type { User } from '@interview-prep/contracts/users';
import { Paper, Stack, Title } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { failureOf } from '../../../components/failed-loads.ts';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ListToolbar } from '../../../components/list-toolbar.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Pager } from '../../../components/pager.tsx';
import { PartFailure } from '../../../components/part-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useListPage } from '../../../components/use-list-page.ts';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { useListTechnologiesQuery } from '../../../lib/api/technologies-api.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import { useFailureToast } from '../../../lib/use-failure-toast.ts';
import { DiscardDialog } from '../discard-dialog.tsx';
import { ListSkeleton } from '../list-skeleton.tsx';
import { NoMatch } from '../no-match.tsx';
import rows from '../row-list.module.css';
import { useConfirm } from '../use-confirm.ts';
import { useJustEdited } from '../use-focus-back.ts';
import { useInFlight } from '../use-in-flight.ts';
import { DeveloperForm, emptyDeveloper } from './developer-form.tsx';
import { UserRow } from './user-row.tsx';
import { UserTechnologiesForm } from './user-technologies-form.tsx';
import { useDeleteUserMutation, useListUsersQuery } from './users-api.ts';
import classes from './users-screen.module.css';

const pageSize = 20;
const none: readonly User[] = [];

/** The user under edit, with the slugs chosen so far and those that were chosen before. */
interface Edit {
  user: User;
  former: string[];
  chosen: string[];
}

const changed = ({ former, chosen }: Edit) => former.toSorted().join() !== chosen.toSorted().join();

/** Source: product specification, sections 2 (Manage Users) and 4 (developer user form). */
export default function UsersScreen() {
  const ownId = useAppSelector(selectUser)?.id;
  const usersQuery = useListUsersQuery();
  const technologiesQuery = useListTechnologiesQuery();
  const technologies = technologiesQuery.data;
  const [remove] = useDeleteUserMutation();
  const [deleting, run] = useInFlight();
  // Held here, so that what was typed for a new user is still there after an edit.
  const [draft, setDraft] = useState(emptyDeveloper);
  const [edit, setEdit] = useState<Edit | null>(null);
  const [justEdited, setJustEdited] = useJustEdited();
  const deletion = useConfirm<User>();
  const discard = useConfirm<User>();
  const panel = useRef<HTMLElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  const list = useListPage(
    usersQuery.data ?? none,
    ({ email, role, technologies: slugs }) => `${email} ${role} ${slugs.join(' ')}`,
    pageSize,
  );
  useFailureToast(usersQuery.error as ApiError | undefined, messages.users.fetchFailed);

  const begin = (user: User) => {
    const former = user.technologies.filter((slug) => technologies?.some((each) => each.slug === slug));
    setEdit({ user, former, chosen: former });
    panel.current?.focus();
    panel.current?.scrollIntoView({ block: 'nearest' });
  };

  const endEdit = () => {
    setJustEdited(edit?.user.id ?? null);
    setEdit(null);
  };

  const removeAsked = (user: User) =>
    run(async () => {
      const { error } = await remove(user.id);
      // The row and its buttons are gone before the dialog gives the focus back.
      if (!error) await usersQuery.refetch();
      deletion.close();
      if (error) {
        toast.error(errorMessage(error, messages.users.deleteFailed));
        return;
      }
      if (edit?.user.id === user.id) setEdit(null);
      toast.success(messages.users.deleted);
      shown.current?.focus();
    });

  const screen = { title: 'Manage Users', lead: 'Developer users and the technologies they are interviewed in.' };
  const failure = failureOf([usersQuery, fallbacks.fetchUsers], [technologiesQuery, fallbacks.fetchTechnologies]);
  if (!usersQuery.data || !technologies) {
    return (
      <Screen {...screen}>{failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading users…" />}</Screen>
    );
  }

  const typed = draft.email.trim() !== '' || draft.password !== '' || draft.technologies.length > 0;
  const unsaved = typed || (edit !== null && changed(edit));
  return (
    <Screen {...screen}>
      <div className={classes.columns}>
        <Paper
          withBorder
          bg="var(--surface)"
          component="section"
          p={20}
          className={classes.panel}
          ref={panel}
          tabIndex={-1}
        >
          <Title order={2} size="h3" mb="md">
            {edit ? 'Edit user' : 'Add a developer user'}
          </Title>
          {edit ? (
            <UserTechnologiesForm
              key={edit.user.id}
              user={edit.user}
              technologies={technologies}
              chosen={edit.chosen}
              onChange={(chosen) => setEdit({ ...edit, chosen })}
              onEnd={endEdit}
            />
          ) : (
            <DeveloperForm technologies={technologies} draft={draft} onChange={setDraft} />
          )}
        </Paper>
        <Stack component="section" aria-label="Users" ref={shown} tabIndex={-1} className={classes.shown ?? ''}>
          {failure && <PartFailure {...failure} />}
          <ListToolbar list={list} nouns={['user', 'users']} />
          {list.total === 0 && (
            <Notice icon={<IconUsers size={32} stroke={1.5} />} title="No users yet">
              Add the first developer user with the form.
            </Notice>
          )}
          {list.total > 0 && list.found === 0 && <NoMatch list={list} says="No user matches" />}
          {list.found > 0 && (
            <ul className={rows.list}>
              {list.items.map((user) => (
                <UserRow
                  key={user.id}
                  user={user}
                  technologies={technologies}
                  own={user.id === ownId}
                  edited={edit?.user.id === user.id}
                  justEdited={justEdited === user.id}
                  onEdit={() => (edit && edit.user.id !== user.id && changed(edit) ? discard.ask(user) : begin(user))}
                  onDelete={() => deletion.ask(user)}
                />
              ))}
            </ul>
          )}
          <Pager {...list} />
        </Stack>
      </div>

      <ConfirmDialog
        opened={deletion.opened}
        title="Delete user?"
        confirmLabel={`Delete ${deletion.about?.email ?? ''}`}
        busy={deleting}
        onConfirm={() => deletion.about && removeAsked(deletion.about)}
        onCancel={deletion.close}
      >
        {deletion.about?.email} is signed out at once and cannot sign in again. Recordings already made stay in the
        history.
      </ConfirmDialog>
      <DiscardDialog question={discard} onDiscard={begin}>
        What you changed for {edit?.user.email} is not saved yet.
      </DiscardDialog>
      <LeaveGuard when={unsaved} />
    </Screen>
  );
}
