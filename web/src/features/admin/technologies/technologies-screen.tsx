import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Button, Paper, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconTags } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useEditConflict } from '../../../components/edit-conflict.tsx';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ListToolbar, Pager, useListPage } from '../../../components/list-page.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/base-api.ts';
import { editEndpoint, endpoint } from '../../../lib/api/route-request.ts';
import { useListTechnologiesQuery } from '../../../lib/api/sets-api.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { BusyFieldset } from '../busy-fieldset.tsx';
import { ListSkeleton, NoMatch } from '../list-skeleton.tsx';
import { type Deletion, useDeletion, useInFlight } from '../use-deletion.tsx';
import { AddTechnologyForm } from './add-technology-form.tsx';
import classes from './technologies-screen.module.css';
import { type TechnologyEdit, TechnologyList } from './technology-list.tsx';
import { deletionInWords, useTechnologyUse } from './technology-use.ts';

/** Technology changes. Renaming or deleting one changes the technology name on its sets. */
const technologyChangesApi = api.injectEndpoints({
  endpoints: (build) => ({
    createTechnology: build.mutation({
      ...endpoint('createTechnology', 'technology'),
      invalidatesTags: ['Technologies'],
      extraOptions: { fallback: fallbacks.createTechnology },
    }),
    updateTechnology: build.mutation({
      ...editEndpoint('updateTechnology', 'technology'),
      invalidatesTags: ['Technologies', 'InterviewSets', 'PracticeSets'],
      extraOptions: { fallback: fallbacks.updateTechnology },
    }),
    deleteTechnology: build.mutation({
      ...endpoint('deleteTechnology'),
      invalidatesTags: ['Technologies', 'InterviewSets', 'PracticeSets'],
      extraOptions: { fallback: fallbacks.deleteTechnology },
    }),
  }),
});

const { useCreateTechnologyMutation, useUpdateTechnologyMutation, useDeleteTechnologyMutation } = technologyChangesApi;

/** Adds and renames technologies, one request at a time. Both resolve to whether the server accepted the change. */
function useTechnologyChanges(refetch: () => Promise<unknown>, endEdit: () => void) {
  const [create] = useCreateTechnologyMutation();
  const [update] = useUpdateTechnologyMutation();
  const [busy, run] = useInFlight();

  const conflict = useEditConflict(async () => {
    await refetch();
    endEdit();
  });

  const send = async (
    request: (version?: string) => Promise<{ error?: unknown }>,
    done: string,
    failed: string,
    version?: string,
  ) => {
    let accepted = false;
    await run(async () => {
      const { error } = await request(version);
      const keepMine = async (newer: string) => {
        if (await send(request, done, failed, newer)) endEdit();
      };
      if (conflict.caught(error, keepMine)) return;
      if (error) {
        toast.error(errorMessage(error, failed));
        return;
      }
      // Reload before the controls are enabled again.
      await refetch();
      toast.success(done);
      accepted = true;
    });
    return accepted;
  };

  return {
    busy,
    add: (name: string) => send(() => create({ name }), messages.technologies.added, fallbacks.createTechnology),
    rename: ({ id, version }: Technology, name: string) =>
      send(
        (edited) => update({ id, name, version: edited }),
        messages.technologies.updated,
        fallbacks.updateTechnology,
        version,
      ),
    conflictDialog: conflict.dialog,
  };
}

/** Points admins with technologies but no sets to their first interview set. */
function FirstSetHint() {
  return (
    <Paper withBorder bg="var(--surface)" p="md" className={classes.next}>
      <div>
        <strong>Next: the first interview set.</strong> You have a technology. Now write the questions.
      </div>
      <Button component={Link} to={paths.newSet} rightSection={<IconArrowRight size={16} aria-hidden />}>
        Add Interview Set
      </Button>
    </Paper>
  );
}

interface DeleteTechnologyDialogProps {
  deletion: Deletion<Technology>;
  use: ReturnType<typeof useTechnologyUse>;
}

/** Confirms deleting a technology and explains what happens to its sets. Waits until those are known. */
function DeleteTechnologyDialog({ deletion, use }: DeleteTechnologyDialogProps) {
  const { about } = deletion;
  const sets = about && use.setsUsing(about);
  return (
    <ConfirmDialog
      {...deletion.dialog}
      title={`Delete ${about?.name ?? ''}?`}
      confirmLabel={`Delete “${about?.name ?? ''}”`}
      held={sets === null}
    >
      {sets && deletionInWords(sets)}
      {!sets && !use.failure && 'Checking which sets use it…'}
      {!sets && use.failure && (
        <>
          <Text mb="sm">We could not check which sets use it.</Text>
          <PartFailure {...use.failure} />
        </>
      )}
    </ConfirmDialog>
  );
}

const pageSize = 20;
const none: readonly Technology[] = [];

/** Source: product specification, sections 2 (Manage Technologies), 4 (technology manager) and 5. */
export default function TechnologiesScreen() {
  const query = useListTechnologiesQuery();
  const use = useTechnologyUse();
  const [remove] = useDeleteTechnologyMutation();
  const [newName, setNewName] = useState('');
  const [edit, setEdit] = useState<TechnologyEdit | null>(null);
  const changes = useTechnologyChanges(query.refetch, () => setEdit(null));
  const addField = useRef<HTMLInputElement>(null);
  const technologies = query.data ?? none;
  const list = useListPage(technologies, ({ name, slug }) => `${name} ${slug}`, pageSize);
  const deletion = useDeletion<Technology>({
    remove: ({ id }) => remove({ id }),
    refetch: query.refetch,
    done: () => messages.technologies.deleted,
    failed: fallbacks.deleteTechnology,
    onDeleted: ({ id }) => {
      if (edit?.technology.id === id) setEdit(null);
      addField.current?.focus();
    },
  });

  const screen = {
    title: 'Manage Technologies',
    lead: 'Interview sets and practice sets are grouped by technology.',
    width: 'form',
  } as const;
  const failure = failureOf([query, fallbacks.fetchTechnologies]);
  if (!query.data) {
    return (
      <Screen {...screen}>
        {failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading technologies…" />}
      </Screen>
    );
  }

  const partFailure = failure ?? use.failure;
  const unsaved = newName.trim() !== '' || (edit !== null && edit.name !== edit.technology.name);
  return (
    <Screen {...screen}>
      <BusyFieldset busy={changes.busy || deletion.busy}>
        <Stack gap="lg">
          <AddTechnologyForm
            field={addField}
            name={newName}
            onChange={setNewName}
            technologies={technologies}
            onAdd={changes.add}
          />
          {technologies.length === 0 ? (
            <Notice icon={<IconTags size={32} stroke={1.5} />} title={messages.technologies.none}>
              Add the first one. Then you can write an interview set for it.
            </Notice>
          ) : (
            <>
              {use.hasNoInterviewSets && <FirstSetHint />}
              <ListToolbar list={list} nouns={['technology', 'technologies']} />
              {partFailure && <PartFailure {...partFailure} />}
              {list.found === 0 ? (
                <NoMatch list={list} says="No technology matches" />
              ) : (
                <TechnologyList
                  shown={list.items}
                  technologies={technologies}
                  edit={edit}
                  setEdit={setEdit}
                  setsUsing={use.setsUsing}
                  onRename={changes.rename}
                  onDelete={deletion.ask}
                />
              )}
              <Pager {...list} />
            </>
          )}
        </Stack>
      </BusyFieldset>
      {changes.conflictDialog}
      <DeleteTechnologyDialog deletion={deletion} use={use} />
      <LeaveGuard when={unsaved} />
    </Screen>
  );
}
