import type { NewInterviewSet, NewPracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { useEffect, useReducer, useRef } from 'react';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { readTextFile } from '../../../lib/files.ts';
import { fallbacks } from '../../../lib/messages.ts';
import {
  useCreateInterviewSetMutation,
  useCreatePracticeSetMutation,
  useLazyListManagedInterviewSetsQuery,
  useLazyListManagedPracticeSetsQuery,
  useUpdateInterviewSetMutation,
  useUpdatePracticeSetMutation,
} from '../sets/managed-sets-api.ts';
import { checkSets, type Known, type ReadySet } from './check-sets.ts';
import { setsFromCsv } from './csv-file.ts';
import type { ReadFile } from './file-set.ts';
import { choosing, type Existing, importReducer, type Saving, savingsOf } from './import-state.ts';
import { setsFromJson } from './json-file.ts';

const rejected = (message: string): ReadFile => ({ sets: [], errors: [{ place: 'File', message }] });

/** Reads a chosen file: JSON by its name or first character, else CSV. */
export async function readSetFile(file: File): Promise<ReadFile> {
  const read = await readTextFile(file);
  if ('refusal' in read) return rejected(read.refusal);
  const { content } = read;
  const json = /\.json$/i.test(file.name) || /^\uFEFF?\s*[[{]/.test(content);
  return json ? setsFromJson(content) : setsFromCsv(content);
}

/**
 * Finds the new set that an earlier attempt saved even though its response was lost. Each is found once.
 * @param created the sets added to the catalog since the file was checked; the match is removed
 */
function takeCreatedBefore({ body, technology }: ReadySet, created: Known['sets'][number][]): boolean {
  const at = created.findIndex(
    (set) =>
      set.title === body.title &&
      set.technologySlug === technology.slug &&
      set.questions.length === body.questions.length &&
      set.questions.every((question, index) => question === body.questions[index]),
  );
  if (at >= 0) created.splice(at, 1);
  return at >= 0;
}

/** For example, the reader could not be loaded. */
const unreadable: ReadFile = {
  sets: [],
  errors: [{ place: 'File', message: 'The file could not be read; check your connection and choose it again' }],
};

/**
 * Reads and checks a file, then saves it set by set: creates new ones, replaces existing ones. A retry saves only those
 * that failed.
 */
export function useSetImport(kind: SessionKind, known: Known) {
  const [state, send] = useReducer(importReducer, choosing);
  const [createInterviewSet] = useCreateInterviewSetMutation();
  const [createPracticeSet] = useCreatePracticeSetMutation();
  const [updateInterviewSet] = useUpdateInterviewSetMutation();
  const [updatePracticeSet] = useUpdatePracticeSetMutation();
  const [listInterviewSets] = useLazyListManagedInterviewSetsQuery();
  const [listPracticeSets] = useLazyListManagedPracticeSetsQuery();
  /** The ids of the sets that existed when the file was checked. */
  const savedIds = useRef<ReadonlySet<string>>(new Set());
  // Stop saving once the screen is gone, for example after a sign-out.
  const here = useRef(true);
  const running = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const saveInterviewSet = (body: NewInterviewSet, id?: string, version?: string) =>
    id === undefined ? createInterviewSet(body) : updateInterviewSet({ id, version, ...body });
  const savePracticeSet = (body: NewPracticeSet, id?: string, version?: string) =>
    id === undefined ? createPracticeSet(body) : updatePracticeSet({ id, version, ...body });
  const saveSet = ({ body, replaces }: ReadySet, version?: string) =>
    kind === 'interview'
      ? saveInterviewSet(body, replaces, version)
      : savePracticeSet(body as NewPracticeSet, replaces, version);
  const fallback = kind === 'interview' ? fallbacks.createInterviewSet : fallbacks.createPracticeSet;

  const failureMessage = (error: unknown) => {
    const message = errorMessage(error, fallback);
    return (error as ApiError).conflict ? `${message}. Try again to replace it anyway.` : message;
  };

  const choose = async (file: File) => {
    send({ kind: 'chosen', fileName: file.name });
    const read = await readSetFile(file).catch((error: unknown) => {
      console.error(error);
      return unreadable;
    });
    savedIds.current = new Set(known.sets.map(({ _id }) => _id));
    send({ kind: 'checked', ...checkSets(kind, read, known) });
  };

  /** Sets added since the file was checked. The response of a failed attempt may have been lost. */
  const listCreated = async () => {
    const { data = [], error } = await (kind === 'interview'
      ? listInterviewSets({ answers: true })
      : listPracticeSets());
    return { created: data.filter(({ _id }) => !savedIds.current.has(_id)), error };
  };

  const save = async () => {
    if (running.current || (state.status !== 'ready' && state.status !== 'done')) return;
    running.current = true;
    const savings = savingsOf(state);
    const isRetry = state.status === 'done';
    send({ kind: 'started' });
    const { created, error: unlisted } = isRetry ? await listCreated() : { created: [], error: undefined };
    // Sets that this import is known to have created can't be from a lost response.
    for (const [index, set] of state.sets.entries()) {
      if (savings[index]?.status === 'saved') takeCreatedBefore(set, created);
    }
    const createOnce = async (set: ReadySet) =>
      takeCreatedBefore(set, created) ? {} : unlisted ? { error: unlisted } : saveSet(set);
    // Lists show the newest first, so save in reverse to keep the file's order.
    for (const [index, set] of [...state.sets.entries()].toReversed()) {
      const { status } = savings[index] ?? {};
      if (status === 'saved' || status === 'skipped') continue;
      if (!here.current) break;
      // A retry overwrites the saved set: the admin knows of the conflict, and the first attempt may have succeeded.
      const version = isRetry ? undefined : set.version;
      const { error } = await (set.replaces === undefined ? createOnce(set) : saveSet(set, version));
      const saving: Saving = error ? { status: 'failed', message: failureMessage(error) } : { status: 'saved' };
      send({ kind: 'settled', index, saving });
    }
    running.current = false;
    send({ kind: 'finished' });
  };

  return {
    state,
    choose,
    save,
    chooseExisting: (existing: Existing) => send({ kind: 'existing-chosen', existing }),
    restart: () => send({ kind: 'restarted' }),
  };
}
