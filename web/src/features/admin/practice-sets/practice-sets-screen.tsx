import type { NewPracticeSet, PracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Paper, Stack, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useEditConflict } from '../../../components/edit-conflict.tsx';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { useListTechnologiesQuery } from '../../../lib/api/sets-api.ts';
import { countOf } from '../../../lib/formats.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { toast, useFailureToast } from '../../../lib/toasts.ts';
import { ListSkeleton } from '../list-skeleton.tsx';
import { SetFiles } from '../set-files/set-files.tsx';
import { NoTechnologies } from '../sets/form-skeleton.tsx';
import {
  useChangePracticeSetStatusMutation,
  useCreatePracticeSetMutation,
  useDeletePracticeSetMutation,
  useListManagedPracticeSetsQuery,
  useUpdatePracticeSetMutation,
} from '../sets/managed-sets-api.ts';
import { emptyHead, newPair, type SetDraft, sameDraft } from '../sets/set-draft.ts';
import { useStatusChange } from '../sets/set-table.tsx';
import { DiscardDialog, useConfirm, useDeletion } from '../use-deletion.tsx';
import { PracticeSetForm } from './practice-set-form.tsx';
import { PracticeSetList } from './practice-set-list.tsx';
import classes from './practice-sets-screen.module.css';
import { usePracticeSetEdit } from './use-practice-set-edit.ts';

interface AddPracticeSetPanelProps {
  technologies: readonly Technology[];
  draft: SetDraft;
  onChange: (draft: SetDraft) => void;
  onAdd: (body: NewPracticeSet) => Promise<ApiError | undefined>;
}

/** The form beside the list that adds a practice set. */
function AddPracticeSetPanel({ technologies, draft, onChange, onAdd }: AddPracticeSetPanelProps) {
  return (
    <Paper
      withBorder
      bg="var(--surface)"
      component="section"
      p={20}
      className={classes.card}
      aria-labelledby="add-practice-set"
    >
      <Title order={2} size="h3" mb="md" id="add-practice-set">
        Add a practice set
      </Title>
      <PracticeSetForm
        label="Add practice set"
        submitLabel="Add Practice Set"
        technologies={technologies}
        draft={draft}
        onChange={onChange}
        onSave={onAdd}
      />
    </Paper>
  );
}

/** Adds and updates practice sets, with a toast for the outcome. Both resolve to the error if the server rejected it. */
function usePracticeSetChanges(refetch: () => Promise<unknown>) {
  const [create] = useCreatePracticeSetMutation();
  const [update] = useUpdatePracticeSetMutation();
  return {
    add: async (body: NewPracticeSet): Promise<ApiError | undefined> => {
      const { error } = await create(body);
      if (error) toast.error(errorMessage(error, fallbacks.createPracticeSet));
      else toast.success(messages.practice.created(body.title));
      return error as ApiError | undefined;
    },
    save: async (id: string, body: NewPracticeSet, version: string | undefined): Promise<ApiError | undefined> => {
      const { error } = await update({ id, version, ...body });
      if (error) {
        if (!(error as ApiError).conflict) toast.error(errorMessage(error, fallbacks.updatePracticeSet));
        return error as ApiError;
      }
      await refetch();
      toast.success(messages.practice.updated(body.title));
    },
  };
}

const emptyDraft = (): SetDraft => ({ ...emptyHead, pairs: [newPair()] });

/** Source: product specification, sections 2 (practice set admin), 4 and 5. */
export default function PracticeSetsScreen() {
  const setsQuery = useListManagedPracticeSetsQuery();
  const technologiesQuery = useListTechnologiesQuery();
  const technologies = technologiesQuery.data;
  const changes = usePracticeSetChanges(setsQuery.refetch);
  const [remove] = useDeletePracticeSetMutation();
  const [blank, setBlank] = useState(emptyDraft);
  const [draft, setDraft] = useState(blank);
  const [importing, setImporting] = useState(false);
  const editing = usePracticeSetEdit(technologies);
  const discard = useConfirm<PracticeSet>();
  const list = useRef<HTMLDivElement>(null);
  const deletion = useDeletion<PracticeSet>({
    remove: ({ _id }) => remove({ id: _id }),
    refetch: setsQuery.refetch,
    done: ({ title }) => messages.practice.deleted(title),
    failed: fallbacks.deletePracticeSet,
    onDeleted: ({ _id }) => {
      editing.forget(_id);
      list.current?.focus();
    },
  });
  const [changeStatus] = useChangePracticeSetStatusMutation();
  const { busy, move } = useStatusChange({
    change: changeStatus,
    refetch: setsQuery.refetch,
    failed: fallbacks.updatePracticeSet,
  });
  useFailureToast(setsQuery.error as ApiError | undefined, messages.practice.setsFailed);

  const add = async (body: NewPracticeSet) => {
    const error = await changes.add(body);
    if (error) return error;
    const next = emptyDraft();
    setBlank(next);
    setDraft(next);
  };
  const conflict = useEditConflict(async () => {
    const { data } = await setsQuery.refetch();
    const theirs = data?.find(({ _id }) => _id === editing.edit?.id);
    if (theirs) editing.begin(theirs);
    else editing.end();
  });
  const save = async (
    id: string,
    body: NewPracticeSet,
    version = editing.edit?.version,
  ): Promise<ApiError | undefined> => {
    const error = await changes.save(id, body, version);
    if (conflict.caught(error, (newer) => save(id, body, newer))) return;
    if (error) return error;
    editing.end();
  };

  const screen = { title: 'Practice Sets', lead: 'Questions with the answer that is typed out while you practice.' };
  const failure = failureOf([setsQuery, fallbacks.fetchPracticeSets], [technologiesQuery, fallbacks.fetchTechnologies]);
  if (!setsQuery.data || !technologies) {
    return (
      <Screen {...screen}>
        {failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading practice sets…" />}
      </Screen>
    );
  }
  if (technologies.length === 0 && setsQuery.data.length === 0) {
    return (
      <Screen {...screen}>
        <NoTechnologies />
      </Screen>
    );
  }

  const { about } = deletion;
  return (
    <Screen
      {...screen}
      actions={<SetFiles kind="practice" technologies={technologies} sets={setsQuery.data} onPending={setImporting} />}
    >
      <div className={classes.columns}>
        <AddPracticeSetPanel technologies={technologies} draft={draft} onChange={setDraft} onAdd={add} />
        <Stack component="section" aria-label="Practice sets" ref={list} tabIndex={-1} className={classes.shown ?? ''}>
          {failure && <PartFailure {...failure} />}
          <PracticeSetList
            sets={setsQuery.data}
            technologies={technologies}
            edit={editing.edit}
            setEdit={editing.setEdit}
            busy={busy}
            justEditedId={editing.justEditedId}
            onEdit={editing.isChanged ? discard.ask : editing.begin}
            onSave={save}
            onEndEdit={editing.end}
            onMove={(set) => void move(set)}
            onDelete={deletion.ask}
          />
        </Stack>
      </div>
      <ConfirmDialog
        {...deletion.dialog}
        title={`Delete “${about?.title ?? ''}”?`}
        confirmLabel={`Delete “${about?.title ?? ''}” and its ${countOf(about?.questions.length ?? 0, 'question')}`}
      >
        {messages.practice.confirmDelete}
      </ConfirmDialog>
      {conflict.dialog}
      <DiscardDialog confirmation={discard} onDiscard={editing.begin}>
        Your changes to “{editing.edit?.title}” are not saved yet.
      </DiscardDialog>
      <LeaveGuard when={editing.isChanged || importing || !sameDraft(draft, blank)} />
    </Screen>
  );
}
