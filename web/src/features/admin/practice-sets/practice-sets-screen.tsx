import type { NewPracticeSet, PracticeSet } from '@interview-prep/contracts/sets';
import { Paper, Stack, Title } from '@mantine/core';
import { IconVideo } from '@tabler/icons-react';
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
import { useListPracticeSetsQuery } from '../../../lib/api/practice-sets-api.ts';
import { useListTechnologiesQuery } from '../../../lib/api/technologies-api.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { useFailureToast } from '../../../lib/use-failure-toast.ts';
import { countOf } from '../count-of.ts';
import { DiscardDialog } from '../discard-dialog.tsx';
import { ListSkeleton } from '../list-skeleton.tsx';
import { NoMatch } from '../no-match.tsx';
import { SetFiles } from '../set-files/set-files.tsx';
import { NoTechnologies } from '../sets/no-technologies.tsx';
import { draftOf, newPair, type SetDraft, sameDraft } from '../sets/set-draft.ts';
import { useConfirm } from '../use-confirm.ts';
import { useJustEdited } from '../use-focus-back.ts';
import { useInFlight } from '../use-in-flight.ts';
import {
  useCreatePracticeSetMutation,
  useDeletePracticeSetMutation,
  useUpdatePracticeSetMutation,
} from './practice-set-changes-api.ts';
import { PracticeSetForm } from './practice-set-form.tsx';
import { PracticeSetRow } from './practice-set-row.tsx';
import classes from './practice-sets-screen.module.css';

const pageSize = 10;
const none: readonly PracticeSet[] = [];
const emptyDraft = (): SetDraft => ({ title: '', technology: '', tags: '', pairs: [newPair()] });

/** The set under edit: as it was, and as it is typed. */
interface Edit {
  id: string;
  title: string;
  initial: SetDraft;
  draft: SetDraft;
}

/** Source: product specification, sections 2 (practice set admin), 4 and 5. */
export default function PracticeSetsScreen() {
  const setsQuery = useListPracticeSetsQuery();
  const technologiesQuery = useListTechnologiesQuery();
  const [create] = useCreatePracticeSetMutation();
  const [update] = useUpdatePracticeSetMutation();
  const [remove] = useDeletePracticeSetMutation();
  const [deleting, run] = useInFlight();
  const [initialAdded, setInitialAdded] = useState(emptyDraft);
  const [added, setAdded] = useState(initialAdded);
  const [pending, setPending] = useState(false);
  const [edit, setEdit] = useState<Edit | null>(null);
  const [justEdited, setJustEdited] = useJustEdited();
  const deletion = useConfirm<PracticeSet>();
  const discard = useConfirm<PracticeSet>();
  const shown = useRef<HTMLDivElement>(null);
  const technologies = technologiesQuery.data;
  const list = useListPage(
    setsQuery.data ?? none,
    ({ title, technology, tags }) => [title, technology, ...tags].join(' '),
    pageSize,
  );
  useFailureToast(setsQuery.error as ApiError | undefined, messages.practice.setsFailed);

  const add = async (body: NewPracticeSet) => {
    const { error } = await create(body);
    if (error) {
      toast.error(errorMessage(error, fallbacks.createPracticeSet));
      return error as ApiError;
    }
    toast.success(messages.practice.created);
    const next = emptyDraft();
    setInitialAdded(next);
    setAdded(next);
  };

  const endEdit = () => {
    setJustEdited(edit?.id ?? null);
    setEdit(null);
  };

  const save = async (id: string, body: NewPracticeSet) => {
    const { error } = await update({ id, body });
    if (error) {
      toast.error(errorMessage(error, fallbacks.updatePracticeSet));
      return error as ApiError;
    }
    await setsQuery.refetch();
    toast.success(messages.practice.updated);
    endEdit();
  };

  const removeAsked = (set: PracticeSet) =>
    run(async () => {
      const { error } = await remove(set._id);
      // The row and its buttons are gone before the dialog gives the focus back.
      if (!error) await setsQuery.refetch();
      deletion.close();
      if (error) {
        toast.error(errorMessage(error, fallbacks.deletePracticeSet));
        return;
      }
      if (edit?.id === set._id) setEdit(null);
      toast.success(messages.practice.deleted);
      shown.current?.focus();
    });

  const begin = (set: PracticeSet) => {
    const initial = draftOf(set, set.answers, technologies ?? []);
    setEdit({ id: set._id, title: set.title, initial, draft: initial });
  };

  const screen = { title: 'Practice Sets', lead: 'Questions with the answer that is typed out while one practises.' };
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

  const asked = deletion.about;
  const edited = edit !== null && !sameDraft(edit.draft, edit.initial);
  return (
    <Screen
      {...screen}
      actions={<SetFiles kind="practice" technologies={technologies} sets={setsQuery.data} onPending={setPending} />}
    >
      <div className={classes.columns}>
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
            draft={added}
            onChange={setAdded}
            onSave={add}
          />
        </Paper>
        <Stack component="section" aria-label="Practice sets" ref={shown} tabIndex={-1} className={classes.shown ?? ''}>
          {failure && <PartFailure {...failure} />}
          <ListToolbar list={list} nouns={['practice set', 'practice sets']} />
          {list.total === 0 && (
            <Notice icon={<IconVideo size={32} stroke={1.5} />} title="No practice sets added yet">
              Add the first one with the form: a title, a technology, and a question with its answer.
            </Notice>
          )}
          {list.total > 0 && list.found === 0 && <NoMatch list={list} says="No practice set matches" />}
          {list.found > 0 && (
            <ul className={classes.list}>
              {list.items.map((set) =>
                edit?.id === set._id ? (
                  <li key={set._id} className={classes.set} data-edited>
                    <PracticeSetForm
                      label={`Edit ${edit.title}`}
                      submitLabel="Save"
                      technologies={technologies}
                      draft={edit.draft}
                      focused
                      onChange={(draft) => setEdit({ ...edit, draft })}
                      onSave={(body) => save(set._id, body)}
                      onCancel={endEdit}
                    />
                  </li>
                ) : (
                  <PracticeSetRow
                    key={set._id}
                    set={set}
                    justEdited={justEdited === set._id}
                    onEdit={() => (edited ? discard.ask(set) : begin(set))}
                    onDelete={() => deletion.ask(set)}
                  />
                ),
              )}
            </ul>
          )}
          <Pager {...list} />
        </Stack>
      </div>

      <ConfirmDialog
        opened={deletion.opened}
        title={`Delete “${asked?.title ?? ''}”?`}
        confirmLabel={`Delete "${asked?.title ?? ''}" and its ${countOf(asked?.questions.length ?? 0, 'question')}`}
        busy={deleting}
        onConfirm={() => asked && removeAsked(asked)}
        onCancel={deletion.close}
      >
        {messages.practice.confirmDelete}
      </ConfirmDialog>
      <DiscardDialog question={discard} onDiscard={begin}>
        What you changed in “{edit?.title}” is not saved yet.
      </DiscardDialog>
      <LeaveGuard when={edited || pending || !sameDraft(added, initialAdded)} />
    </Screen>
  );
}
