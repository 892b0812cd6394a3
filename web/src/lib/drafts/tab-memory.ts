import { answerSizeError } from './answer-size-error.ts';
import type { Draft, Piece } from './draft.ts';

/**
 * Answers that the browser's database refused (private mode, full disk). They outlive their screen, so that one may leave it, or
 * sign in again, and send them afterwards; the tab's end is theirs too, so it asks.
 */
const answers = new Map<string, { draft: Draft; pieces: readonly Piece[] }>();

const watchers = new Set<() => void>();

const sizeOf = (pieces: readonly Piece[]) => pieces.reduce((bytes, { blob }) => bytes + blob.size, 0);

/** Asks while there is an answer that could still be sent. */
const askBeforeUnload = (event: BeforeUnloadEvent) => {
  const sizes = [...answers.values()].map(({ pieces }) => sizeOf(pieces));
  if (sizes.some((sizeBytes) => answerSizeError(sizeBytes) === null)) event.preventDefault();
};

function changed(): void {
  if (answers.size > 0) window.addEventListener('beforeunload', askBeforeUnload);
  else window.removeEventListener('beforeunload', askBeforeUnload);
  for (const tell of watchers) tell();
}

/** Holds an answer; pieces that are added to the list later are held too. */
export function holdInTab(draft: Draft, pieces: readonly Piece[]): void {
  answers.set(draft.id, { draft, pieces });
  changed();
}

/** The server has the answer, or the person does not want it. */
export function releaseFromTab(draftId: string): void {
  if (answers.delete(draftId)) changed();
}

export const isHeldInTab = (draftId: string): boolean => answers.has(draftId);

/** What a user recorded for a set and only this tab has. */
export const heldInTab = (userId: string, setId: string): { draft: Draft; pieces: readonly Piece[] }[] =>
  [...answers.values()].filter(({ draft }) => draft.userId === userId && draft.setId === setId);

/** Calls `tell` whenever an answer comes or goes, until the returned function is called. */
export function watchTab(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
