import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { NewInterviewSet, NewPracticeSet } from '@interview-prep/contracts/sets';
import type { Technology } from '@interview-prep/contracts/technologies';
import { useEffect, useReducer, useRef } from 'react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { useCreateInterviewSetMutation } from '../interview-sets/interview-set-changes-api.ts';
import { useCreatePracticeSetMutation } from '../practice-sets/practice-set-changes-api.ts';
import { checkSets } from './check-sets.ts';
import type { ReadFile } from './file-set.ts';
import { choosing, importReducer, type Saving } from './import-state.ts';
import { readSetFile } from './read-set-file.ts';

/** The reader could not be loaded over the network, for example. */
const unreadable: ReadFile = {
  sets: [],
  errors: [{ place: 'File', message: 'The file could not be read; check your connection and choose it again' }],
};

interface Known {
  technologies: readonly Technology[];
  sets: readonly { title: string; technologySlug: string }[];
}

/** Reads and checks a file, then saves it set by set. Failed sets can be retried alone. */
export function useSetImport(kind: SessionKind, known: Known) {
  const [state, send] = useReducer(importReducer, choosing);
  const [createInterviewSet] = useCreateInterviewSetMutation();
  const [createPracticeSet] = useCreatePracticeSetMutation();
  // Stop saving once the screen is gone, for example after a sign-out.
  const here = useRef(true);
  const running = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const create = {
    interview: (body: NewInterviewSet | NewPracticeSet) => createInterviewSet(body),
    practice: (body: NewInterviewSet | NewPracticeSet) => createPracticeSet(body as NewPracticeSet),
  }[kind];
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
    const settled = state.status === 'done' ? state.savings : [];
    send({ kind: 'started' });
    // Lists show the newest first, so save in reverse to keep the order of the file.
    for (const [index, { body }] of [...state.sets.entries()].toReversed()) {
      if (settled[index]?.status === 'saved') continue;
      if (!here.current) break;
      const { error } = await create(body);
      const saving: Saving = error ? { status: 'failed', message: errorMessage(error, fallback) } : { status: 'saved' };
      send({ kind: 'settled', index, saving });
    }
    running.current = false;
    send({ kind: 'finished' });
  };

  return { state, choose, save, restart: () => send({ kind: 'restarted' }) };
}
