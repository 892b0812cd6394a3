import { randomUuid } from '../random-uuid.ts';
import { type DraftHead, type LockedDraft, type Piece, type UnsentAnswer, unsentAnswerOf } from './draft.ts';
import type { DraftCipher } from './draft-cipher.ts';
import { waitForCipher } from './draft-key.ts';
import { draftsDatabase } from './drafts-database.ts';
import { answerSizeError } from './recorded-answer.ts';
import {
  headOf,
  isEncryptedDraft,
  openDraft,
  openPiece,
  pieceBytesOf,
  type StoredChunk,
  type StoredDraft,
} from './stored-draft.ts';
import { allHeldInTab, heldInTab, releaseFromTab } from './tab-memory.ts';
import { draftsWritten } from './write-draft.ts';

/** How long a page waits for the key of the drafts that it has found. */
const keyWaitMs = 5000;

/** A user's answers that are only in this browser, oldest first, without those that the server would reject. */
export interface FoundAnswers {
  answers: UnsentAnswer[];
  /** Drafts that can't be decrypted yet, or ever. */
  locked: LockedDraft[];
}

/** Deletes a draft after it was uploaded or discarded. */
export async function deleteDraft(draftId: string): Promise<void> {
  await draftsWritten(draftId);
  releaseFromTab(draftId);
  const transaction = (await draftsDatabase()).transaction(['drafts', 'chunks'], 'readwrite');
  const keys = await transaction.objectStore('chunks').index('draft').getAllKeys(draftId);
  await Promise.all([
    ...keys.map((key) => transaction.objectStore('chunks').delete(key)),
    transaction.objectStore('drafts').delete(draftId),
    transaction.done,
  ]);
}

/** Deletes matching drafts, as of a deleted session or user. Needs no key. Never throws. */
export async function deleteDrafts(matches: (draft: DraftHead) => boolean): Promise<void> {
  await draftsWritten();
  for (const { id } of allHeldInTab().filter(matches)) releaseFromTab(id);
  try {
    const stored = await (await draftsDatabase()).getAll('drafts');
    for (const { id } of stored.map(headOf).filter(matches)) await deleteDraft(id);
  } catch (error) {
    console.warn('Cannot delete stored drafts', error);
  }
}

/** Whether the browser's database can store answers. Some private windows can't, nor can a full disk. */
export async function canStoreDrafts(): Promise<boolean> {
  const id = `probe-${randomUuid()}`;
  const probeDraft = { id, owner: '', setId: '', sessionId: '', questionId: 0, startedAtMs: 0 };
  try {
    const transaction = (await draftsDatabase()).transaction('drafts', 'readwrite');
    await Promise.all([
      transaction.store.put({ ...probeDraft, encrypted: new ArrayBuffer(8) }),
      transaction.store.delete(id),
      transaction.done,
    ]);
    return true;
  } catch (error) {
    console.warn('The browser cannot store drafts', error);
    return false;
  }
}

/** The pieces up to the first that can't be decrypted: nothing after a gap can be played. */
async function openPieces(chunks: readonly StoredChunk[], cipher: DraftCipher | null): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const piece = chunk.seq === index ? await openPiece(chunk, cipher) : null;
    if (piece === null) break;
    pieces.push(piece);
  }
  return pieces;
}

async function readDraft(
  stored: StoredDraft,
  chunks: readonly StoredChunk[],
  cipher: DraftCipher | null,
): Promise<UnsentAnswer | LockedDraft> {
  const isEncrypted = isEncryptedDraft(stored) || chunks.some((chunk) => 'encrypted' in chunk);
  const locked = {
    ...headOf(stored),
    locked: isEncrypted && cipher === null ? 'no-key' : 'unreadable',
    sizeBytes: chunks.reduce((bytes, chunk) => bytes + pieceBytesOf(chunk), 0),
  } as const;
  if (locked.locked === 'no-key') return locked;
  const draft = await openDraft(stored, cipher);
  const pieces = draft ? await openPieces(chunks, cipher) : [];
  return draft === null || pieces.length === 0 ? locked : unsentAnswerOf(draft, pieces, true);
}

async function readDrafts(userId: string): Promise<(UnsentAnswer | LockedDraft)[]> {
  const db = await draftsDatabase();
  // Doesn't use the index, which covers only unencrypted drafts.
  const own = (await db.getAll('drafts')).filter((stored) => headOf(stored).userId === userId);
  const cipher = own.some(isEncryptedDraft) ? await waitForCipher(userId, keyWaitMs) : null;
  return Promise.all(
    own.map(async (stored) => {
      const chunks = await db.getAllFromIndex('chunks', 'draft', stored.id);
      return readDraft(
        stored,
        chunks.sort((one, other) => one.seq - other.seq),
        cipher,
      );
    }),
  );
}

/** A user's unsent answers for a set. */
export async function unsentAnswers(userId: string, setId: string): Promise<FoundAnswers> {
  const { answers, locked } = await allUnsentAnswers(userId);
  const isOfSet = (draft: DraftHead) => draft.setId === setId;
  return { answers: answers.filter(isOfSet), locked: locked.filter(isOfSet) };
}

/** A user's unsent answers for all sets. */
export async function allUnsentAnswers(userId: string): Promise<FoundAnswers> {
  await draftsWritten();
  const held = heldInTab(userId).map(({ draft, pieces }) => unsentAnswerOf(draft, pieces, false));
  const stored = await readDrafts(userId).catch((error: unknown) => {
    console.warn('Cannot read stored drafts', error);
    return [];
  });
  const all = [...stored.filter(({ id }) => held.every((whole) => whole.id !== id)), ...held]
    .filter((draft) => answerSizeError('answer' in draft ? draft.answer.blob.size : draft.sizeBytes) === null)
    .sort((one, other) => one.startedAtMs - other.startedAtMs);
  return {
    answers: all.filter((draft): draft is UnsentAnswer => 'answer' in draft),
    locked: all.filter((draft): draft is LockedDraft => 'locked' in draft),
  };
}
