import type { User } from '@interview-prep/contracts/auth/users';
import { Button, Group, Stack } from '@mantine/core';
import { IconHistory, IconShare, IconUpload, IconUsersGroup } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { useListTechnologiesQuery } from '../../../lib/api/sets-api.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { useFailureToast } from '../../../lib/toasts.ts';
import { useDataDownload } from '../../../lib/use-data-download.ts';
import { ListSkeleton } from '../list-skeleton.tsx';
import { DiscardDialog, useConfirm, useDeletion, useJustEdited } from '../use-deletion.tsx';
import { emptyDeveloper } from './developer-form.tsx';
import { UserList } from './user-list.tsx';
import { type UserEdit, UserPanel } from './user-panel.tsx';
import { useDeleteUserMutation, useListUsersQuery } from './users-api.ts';
import classes from './users-screen.module.css';

const PeopleImport = lazy(() => import('./people-import.tsx'));

const related = [
  { to: paths.groups, label: 'Groups', Icon: IconUsersGroup },
  { to: paths.shareLinks, label: 'Share links', Icon: IconShare },
  { to: paths.audit, label: 'Audit log', Icon: IconHistory },
];

function isChanged({ previous, chosen }: UserEdit): boolean {
  return previous.toSorted().join() !== chosen.toSorted().join();
}

/** Source: product specification, sections 2 (Manage Users) and 4 (developer user form). */
export default function UsersScreen() {
  const usersQuery = useListUsersQuery({});
  const technologiesQuery = useListTechnologiesQuery();
  const technologies = technologiesQuery.data;
  const [remove] = useDeleteUserMutation();
  const ownId = useAppSelector(selectUser)?.id;
  // Kept here so that a half-typed new user survives an edit.
  const [draft, setDraft] = useState(emptyDeveloper);
  const [edit, setEdit] = useState<UserEdit | null>(null);
  const [justEdited, setJustEdited] = useJustEdited();
  const [importing, setImporting] = useState(false);
  const [importPending, setImportPending] = useState(false);
  const discard = useConfirm<User>();
  const dataDownload = useDataDownload();
  const panel = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const deletion = useDeletion<User>({
    remove: ({ id }) => remove({ id }),
    refetch: usersQuery.refetch,
    done: ({ email }) => messages.users.deleted(email),
    failed: messages.users.deleteFailed,
    onDeleted: ({ id }) => {
      if (edit?.user.id === id) setEdit(null);
      list.current?.focus();
    },
  });
  useFailureToast(usersQuery.error as ApiError | undefined, messages.users.fetchFailed);

  const beginEdit = (user: User) => {
    const previous = user.technologies.filter((slug) => technologies?.some((each) => each.slug === slug));
    setEdit({ user, previous, chosen: previous });
    panel.current?.focus();
    panel.current?.scrollIntoView({ block: 'nearest' });
  };
  const askOrBeginEdit = (user: User) => {
    if (edit && edit.user.id !== user.id && isChanged(edit)) discard.ask(user);
    else beginEdit(user);
  };
  const endEdit = () => {
    setJustEdited(edit?.user.id ?? null);
    setEdit(null);
  };

  const screen = {
    title: 'Manage Users',
    lead: 'Who can sign in, with which role, and the technologies they are interviewed in.',
    actions: (
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconUpload size={16} stroke={1.5} aria-hidden />}
          disabled={!usersQuery.data}
          onClick={() => setImporting(true)}
        >
          Import
        </Button>
        {related.map(({ to, label, Icon }) => (
          <Button
            key={to}
            component={Link}
            to={to}
            variant="default"
            leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
          >
            {label}
          </Button>
        ))}
      </Group>
    ),
  };
  const failure = failureOf([usersQuery, fallbacks.fetchUsers], [technologiesQuery, fallbacks.fetchTechnologies]);
  if (!usersQuery.data || !technologies) {
    return (
      <Screen {...screen}>{failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading users…" />}</Screen>
    );
  }

  const typed =
    draft.email.trim() !== '' || draft.name !== '' || draft.password !== '' || draft.technologies.length > 0;
  return (
    <Screen {...screen}>
      <div className={classes.columns}>
        <UserPanel
          panel={panel}
          technologies={technologies}
          draft={draft}
          setDraft={setDraft}
          edit={edit}
          saved={usersQuery.data.find(({ id }) => id === edit?.user.id)}
          ownId={ownId}
          setEdit={setEdit}
          onEndEdit={endEdit}
        />
        <Stack component="section" aria-label="Users" ref={list} tabIndex={-1} className={classes.shown ?? ''}>
          {failure && <PartFailure {...failure} />}
          <UserList
            users={usersQuery.data}
            technologies={technologies}
            editedId={edit?.user.id}
            justEditedId={justEdited}
            onEdit={askOrBeginEdit}
            onDownload={({ id }) => dataDownload.download(id)}
            onDelete={deletion.ask}
          />
        </Stack>
      </div>
      <ConfirmDialog {...deletion.dialog} title="Delete user?" confirmLabel={`Delete ${deletion.about?.email ?? ''}`}>
        {deletion.about?.email} will be signed out immediately and cannot sign in again. Their sessions, recordings,
        transcripts and verdicts are deleted too. This cannot be undone.
      </ConfirmDialog>
      <DiscardDialog confirmation={discard} onDiscard={beginEdit}>
        Your changes to {edit?.user.email} are not saved yet.
      </DiscardDialog>
      {importing && (
        <Suspense fallback={null}>
          <PeopleImport
            known={new Set(usersQuery.data.map(({ email }) => email))}
            onClose={(changed) => {
              setImporting(false);
              if (changed) void usersQuery.refetch();
            }}
            onPending={setImportPending}
          />
        </Suspense>
      )}
      <LeaveGuard
        when={importPending || typed || (edit !== null && isChanged(edit))}
        {...(importPending && {
          title: 'Stop the import?',
          message:
            'The import stops if you leave. Users imported so far stay; import the same file again to add the rest.',
          confirmLabel: 'Stop and leave',
        })}
      />
    </Screen>
  );
}
