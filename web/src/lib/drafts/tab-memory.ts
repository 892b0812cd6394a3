import type { Draft, Piece } from './draft.ts';
import { answerSizeError } from './recorded-answer.ts';

/**
 * Answers that the browser's database couldn't store (private mode, full disk). They outlive their screen, so the user can
 * leave it or sign in again and send them later. They are lost with the tab, so closing it asks first.
 */
const answers = new Map<string, { draft: Draft; pieces: readonly Piece[] }>();

const watchers = new Set<() => void>();

const sizeOf = (pieces: readonly Piece[]) => pieces.reduce((bytes, { blob }) => bytes + blob.size, 0);

/** Asks before closing the tab while an answer could still be sent. */
function askBeforeUnload(event: BeforeUnloadEvent) {
  const sizes = [...answers.values()].map(({ pieces }) => sizeOf(pieces));
  if (sizes.some((sizeBytes) => answerSizeError(sizeBytes) === null)) event.preventDefault();
}

function changed(): void {
  if (answers.size > 0) window.addEventListener('beforeunload', askBeforeUnload);
  else window.removeEventListener('beforeunload', askBeforeUnload);
  for (const notify of watchers) notify();
}

/** Keeps an answer in this tab. Pieces added to the list later are kept too. */
export function holdInTab(draft: Draft, pieces: readonly Piece[]): void {
  answers.set(draft.id, { draft, pieces });
  changed();
}

/** Releases an answer after it was uploaded or discarded. */
export function releaseFromTab(draftId: string): void {
  if (answers.delete(draftId)) changed();
}

export function isHeldInTab(draftId: string): boolean {
  return answers.has(draftId);
}

/** A user's answers that only this tab has. */
export function heldInTab(userId: string): { draft: Draft; pieces: readonly Piece[] }[] {
  return [...answers.values()].filter(({ draft }) => draft.userId === userId);
}

export function allHeldInTab(): Draft[] {
  return [...answers.values()].map(({ draft }) => draft);
}

/** Calls `notify` whenever an answer is added or removed. @returns unsubscribes */
export function watchTab(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}
