import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { NewInterviewSet, NewPracticeSet } from '@interview-prep/contracts/sets';
import { useEffect, useReducer, useRef } from 'react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { fallbacks } from '../../../lib/messages.ts';
import {
  useCreateInterviewSetMutation,
  useUpdateInterviewSetMutation,
} from '../interview-sets/interview-set-changes-api.ts';
import {
  useCreatePracticeSetMutation,
  useUpdatePracticeSetMutation,
} from '../practice-sets/practice-set-changes-api.ts';
import { checkSets, type Known, type ReadySet } from './check-sets.ts';
import type { ReadFile } from './file-set.ts';
import { choosing, type Existing, importReducer, type Saving, savingsOf } from './import-state.ts';
import { readSetFile } from './read-set-file.ts';

/** The reader could not be loaded over the network, for example. */
const unreadable: ReadFile = {
  sets: [],
  errors: [{ place: 'File', message: 'The file could not be read; check your connection and choose it again' }],
};

/**
 * Reads and checks a file, then saves it set by set, each new or in place of the one that exists. Failed sets can be
 * retried alone.
 */
export function useSetImport(kind: SessionKind, known: Known) {
  const [state, send] = useReducer(importReducer, choosing);
  const [createInterviewSet] = useCreateInterviewSetMutation();
  const [createPracticeSet] = useCreatePracticeSetMutation();
  const [updateInterviewSet] = useUpdateInterviewSetMutation();
  const [updatePracticeSet] = useUpdatePracticeSetMutation();
  // Stop saving once the screen is gone, for example after a sign-out.
  const here = useRef(true);
  const running = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const saveInterviewSet = (body: NewInterviewSet, id?: string) =>
    id === undefined ? createInterviewSet(body) : updateInterviewSet({ id, body });
  const savePracticeSet = (body: NewPracticeSet, id?: string) =>
    id === undefined ? createPracticeSet(body) : updatePracticeSet({ id, body });
  const saveSet = ({ body, replaces }: ReadySet) =>
    kind === 'interview' ? saveInterviewSet(body, replaces) : savePracticeSet(body as NewPracticeSet, replaces);
  const fallback = kind === 'interview' ? fallbacks.createInterviewSet : fallbacks.createPracticeSet;

  const choose = async (file: File) => {
    send({ kind: 'chosen', fileName: file.name });
    const read = await readSetFile(file).catch((error: unknown) => {
      console.error(error);
      return unreadable;
    });
    send({ kind: 'checked', ...checkSets(kind, read, known) });
  };

  const save = async () => {
    if (running.current || (state.status !== 'ready' && state.status !== 'done')) return;
    running.current = true;
    const savings = savingsOf(state);
    send({ kind: 'started' });
    // Lists show the newest first, so save in reverse to keep the order of the file.
    for (const [index, set] of [...state.sets.entries()].toReversed()) {
      const { status } = savings[index] ?? {};
      if (status === 'saved' || status === 'skipped') continue;
      if (!here.current) break;
      const { error } = await saveSet(set);
      const saving: Saving = error ? { status: 'failed', message: errorMessage(error, fallback) } : { status: 'saved' };
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
