import type { PracticeSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { useState } from 'react';
import { draftOf, type SetDraft, sameDraft } from '../sets/set-draft.ts';
import { useJustEdited } from '../use-deletion.tsx';

/** The set being edited: as saved, and the current input. */
export interface PracticeSetEdit {
  id: string;
  title: string;
  version: string | undefined;
  initial: SetDraft;
  draft: SetDraft;
}

/** Edits one practice set at a time, inline in the list. */
export function usePracticeSetEdit(technologies: readonly Technology[] = []) {
  const [edit, setEdit] = useState<PracticeSetEdit | null>(null);
  const [justEditedId, setJustEditedId] = useJustEdited();
  return {
    edit,
    setEdit,
    /** The set whose edit has just ended: its row takes the focus back. */
    justEditedId,
    isChanged: edit !== null && !sameDraft(edit.draft, edit.initial),
    begin: (set: PracticeSet) => {
      const initial = draftOf(set, set.answers, technologies);
      setEdit({ id: set._id, title: set.title, version: set.version, initial, draft: initial });
    },
    end: () => {
      setJustEditedId(edit?.id ?? null);
      setEdit(null);
    },
    /** Closes the form of a deleted set. */
    forget: (id: string) => {
      if (edit?.id === id) setEdit(null);
    },
  };
}
