import type { Technology } from '@interview-prep/contracts/technologies';
import { Button, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowRight, IconTags } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
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
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useListInterviewSetsQuery } from '../../../lib/api/interview-sets-api.ts';
import { useListPracticeSetsQuery } from '../../../lib/api/practice-sets-api.ts';
import { useListTechnologiesQuery } from '../../../lib/api/technologies-api.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { BusyFieldset } from '../busy-fieldset.tsx';
import { ListSkeleton } from '../list-skeleton.tsx';
import { NoMatch } from '../no-match.tsx';
import rows from '../row-list.module.css';
import { useConfirm } from '../use-confirm.ts';
import { useJustEdited } from '../use-focus-back.ts';
import { useInFlight } from '../use-in-flight.ts';
import classes from './technologies-screen.module.css';
import {
  useCreateTechnologyMutation,
  useDeleteTechnologyMutation,
  useUpdateTechnologyMutation,
} from './technology-changes-api.ts';
import { nameToAdd, nameToSave } from './technology-name-rules.ts';
import { TechnologyEditRow, TechnologyRow } from './technology-row.tsx';
import { countUse, deletionInWords } from './technology-use.ts';

const pageSize = 20;
const none: readonly Technology[] = [];

/** The one technology under edit, its name as typed so far. */
interface Edit {
  technology: Technology;
  name: string;
  error?: string | undefined;
}

/** Source: product specification, sections 2 (Manage Technologies), 4 (technology manager) and 5. */
export default function TechnologiesScreen() {
  const technologiesQuery = useListTechnologiesQuery();
  const interviewSetsQuery = useListInterviewSetsQuery();
  const practiceSetsQuery = useListPracticeSetsQuery();
  const [create] = useCreateTechnologyMutation();
  const [update] = useUpdateTechnologyMutation();
  const [remove] = useDeleteTechnologyMutation();
  const [busy, run] = useInFlight();
  const [newName, setNewName] = useState('');
  const [newError, setNewError] = useState<string>();
  const [edit, setEdit] = useState<Edit | null>(null);
  const [justEdited, setJustEdited] = useJustEdited();
  const deletion = useConfirm<Technology>();
  const addField = useRef<HTMLInputElement>(null);
  const technologies = technologiesQuery.data ?? none;
  const list = useListPage(technologies, ({ name, slug }) => `${name} ${slug}`, pageSize);

  /** Sends one change and says how it went; the list is read again before the controls wake up. */
  const send = async (request: () => Promise<{ error?: unknown }>, said: { done: string; failed: string }) => {
    let done = false;
    await run(async () => {
      const { error } = await request();
      if (error) {
        toast.error(errorMessage(error, said.failed));
        return;
      }
      await technologiesQuery.refetch();
      toast.success(said.done);
      done = true;
    });
    return done;
  };

  const endEdit = () => {
    setJustEdited(edit?.technology.id ?? null);
    setEdit(null);
  };

  const add = async (event: FormEvent) => {
    event.preventDefault();
    const verdict = nameToAdd(newName, technologies);
    setNewError(verdict.kind === 'refuse' ? verdict.message : undefined);
    if (verdict.kind !== 'send') return;
    const said = { done: messages.technologies.added, failed: fallbacks.createTechnology };
    if (await send(() => create({ name: verdict.name }), said)) setNewName('');
    addField.current?.focus();
  };

  const save = async ({ technology, name }: Edit) => {
    const verdict = nameToSave(name, technology, technologies);
    if (verdict.kind === 'refuse') setEdit({ technology, name, error: verdict.message });
    if (verdict.kind === 'ignore') endEdit();
    if (verdict.kind !== 'send') return;
    const said = { done: messages.technologies.updated, failed: fallbacks.updateTechnology };
    if (await send(() => update({ id: technology.id, name: verdict.name }), said)) endEdit();
  };

  const removeAsked = async (technology: Technology) => {
    const said = { done: messages.technologies.deleted, failed: fallbacks.deleteTechnology };
    const done = await send(() => remove(technology.id), said);
    deletion.close();
    if (!done) return;
    if (edit?.technology.id === technology.id) setEdit(null);
    addField.current?.focus();
  };

  const screen = {
    title: 'Manage Technologies',
    lead: 'What interview sets and practice sets are grouped by.',
    width: 'form',
  } as const;
  const failure = failureOf([technologiesQuery, fallbacks.fetchTechnologies]);
  if (!technologiesQuery.data) {
    return (
      <Screen {...screen}>
        {failure ? <LoadFailure {...failure} /> : <ListSkeleton label="Loading technologies…" />}
      </Screen>
    );
  }

  const setsFailure = failureOf(
    [interviewSetsQuery, fallbacks.fetchInterviewSets],
    [practiceSetsQuery, fallbacks.fetchPracticeSets],
  );
  const partFailure = failure ?? setsFailure;
  /** Null until both kinds of sets are known as they are now. */
  const setsWith = ({ slug }: Technology) =>
    interviewSetsQuery.isSuccess && practiceSetsQuery.isSuccess
      ? countUse(slug, interviewSetsQuery.data, practiceSetsQuery.data)
      : null;
  const asked = deletion.about;
  const askedUse = asked && setsWith(asked);
  const unsaved = newName.trim() !== '' || (edit !== null && edit.name !== edit.technology.name);
  return (
    <Screen {...screen}>
      <BusyFieldset busy={busy}>
        <Stack gap="lg">
          <form className={classes.add} onSubmit={add} noValidate>
            <TextInput
              ref={addField}
              className={classes.name ?? ''}
              aria-label="Technology name"
              placeholder="Technology name, such as React"
              autoComplete="off"
              value={newName}
              error={newError}
              onChange={(event) => {
                setNewName(event.currentTarget.value);
                setNewError(undefined);
              }}
            />
            <Button type="submit" size="md">
              Add
            </Button>
          </form>

          {technologies.length === 0 ? (
            <Notice icon={<IconTags size={32} stroke={1.5} />} title={messages.technologies.none}>
              Add the first one above. Then you can write an interview set for it.
            </Notice>
          ) : (
            <>
              {interviewSetsQuery.data?.length === 0 && (
                <Paper withBorder bg="var(--surface)" p="md" className={classes.next}>
                  <div>
                    <strong>Next: the first interview set.</strong> A technology is there; now write its questions.
                  </div>
                  <Button component={Link} to={paths.newSet} rightSection={<IconArrowRight size={16} aria-hidden />}>
                    Add Interview Set
                  </Button>
                </Paper>
              )}
              <ListToolbar list={list} nouns={['technology', 'technologies']} />
              {partFailure && <PartFailure {...partFailure} />}
              {list.found === 0 ? (
                <NoMatch list={list} says="No technology is called" />
              ) : (
                <ul className={rows.list} aria-label="Technologies">
                  {list.items.map((technology) =>
                    edit?.technology.id === technology.id ? (
                      <TechnologyEditRow
                        key={technology.id}
                        technology={technology}
                        name={edit.name}
                        error={edit.error}
                        onChange={(name) => setEdit({ technology, name })}
                        onConfirm={() => save(edit)}
                        onCancel={endEdit}
                      />
                    ) : (
                      <TechnologyRow
                        key={technology.id}
                        technology={technology}
                        use={setsWith(technology)}
                        locked={edit !== null}
                        justEdited={justEdited === technology.id}
                        onEdit={() => setEdit({ technology, name: technology.name })}
                        onDelete={() => deletion.ask(technology)}
                      />
                    ),
                  )}
                </ul>
              )}
              <Pager {...list} />
            </>
          )}
        </Stack>
      </BusyFieldset>

      <ConfirmDialog
        opened={deletion.opened}
        title={`Delete ${asked?.name ?? ''}?`}
        confirmLabel={`Delete "${asked?.name ?? ''}"`}
        busy={busy}
        held={askedUse === null}
        onConfirm={() => asked && removeAsked(asked)}
        onCancel={deletion.close}
      >
        {askedUse && deletionInWords(askedUse)}
        {!askedUse && !setsFailure && 'Finding out which sets use it…'}
        {!askedUse && setsFailure && (
          <>
            <Text mb="sm">It is not known which sets use it.</Text>
            <PartFailure {...setsFailure} />
          </>
        )}
      </ConfirmDialog>
      <LeaveGuard when={unsaved} />
    </Screen>
  );
}
