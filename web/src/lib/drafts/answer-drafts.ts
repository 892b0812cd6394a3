import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { randomUuid } from '../random-uuid.ts';
import { answerSizeError } from './answer-size-error.ts';
import { type Draft, type Piece, type UnsentAnswer, unsentAnswerOf } from './draft.ts';
import { allHeldInTab, heldInTab, holdInTab, releaseFromTab } from './tab-memory.ts';

/** A piece in the database, as bytes: WebKit stores no Blob in a private window. */
interface Chunk {
  draftId: string;
  seq: number;
  bytes: ArrayBuffer;
  /** Milliseconds since 1970. */
  atMs: number;
}

/** As release 0.1.0 stored pieces. Answers from before an update are still offered. */
type StoredChunk = Chunk | (Omit<Chunk, 'bytes'> & { blob: Blob });

interface DraftsSchema extends DBSchema {
  drafts: { key: string; value: Draft; indexes: { owner: [string, string] } };
  chunks: { key: [string, number]; value: StoredChunk; indexes: { draft: string } };
}

let opened: Promise<IDBPDatabase<DraftsSchema>> | null = null;

function database(): Promise<IDBPDatabase<DraftsSchema>> {
  opened ??= openDB<DraftsSchema>('interview-answers', 1, {
    upgrade(db) {
      db.createObjectStore('drafts', { keyPath: 'id' }).createIndex('owner', ['userId', 'setId']);
      db.createObjectStore('chunks', { keyPath: ['draftId', 'seq'] }).createIndex('draft', 'draftId');
    },
    terminated: () => {
      opened = null;
    },
  });
  // Try again next time: the browser may refuse only now (private mode, full disk).
  opened.catch(() => {
    opened = null;
  });
  return opened;
}

/** The pending writes of each draft, in order. */
const writing = new Map<string, Promise<void>>();

/**
 * Starts storing an answer; the returned function appends a piece. After the first failed write the database gets no
 * more pieces, so what it has is without a gap, and this tab keeps the whole answer.
 */
export function beginDraft(draft: Draft): (blob: Blob) => void {
  const pieces: Piece[] = [];
  let refused = false;
  const write = (step: (db: IDBPDatabase<DraftsSchema>) => Promise<unknown>) => {
    const written = (writing.get(draft.id) ?? Promise.resolve())
      .then(async () => {
        if (!refused) await step(await database());
      })
      .catch((error: unknown) => {
        console.warn('The browser stores no copy of this answer', error);
        refused = true;
        holdInTab(draft, pieces);
      })
      .then(() => {
        if (writing.get(draft.id) === written) writing.delete(draft.id);
      });
    writing.set(draft.id, written);
  };

  write((db) => db.put('drafts', draft));
  return (blob) => {
    const atMs = Date.now();
    const seq = pieces.push({ blob, atMs }) - 1;
    const reading = blob.arrayBuffer();
    // Whoever awaits it below sees the error.
    reading.catch(() => {});
    write(async (db) => db.put('chunks', { draftId: draft.id, seq, bytes: await reading, atMs }));
  };
}

/** Deletes a draft: the server has it, or the user discarded it. */
export async function deleteDraft(draftId: string): Promise<void> {
  await writing.get(draftId);
  releaseFromTab(draftId);
  const transaction = (await database()).transaction(['drafts', 'chunks'], 'readwrite');
  const keys = await transaction.objectStore('chunks').index('draft').getAllKeys(draftId);
  await Promise.all([
    ...keys.map((key) => transaction.objectStore('chunks').delete(key)),
    transaction.objectStore('drafts').delete(draftId),
    transaction.done,
  ]);
}

/** Deletes every draft that matches: those of a session or a user that was deleted. Never throws. */
export async function deleteDrafts(matches: (draft: Draft) => boolean): Promise<void> {
  await Promise.all(writing.values());
  for (const { id } of allHeldInTab().filter(matches)) releaseFromTab(id);
  try {
    const stored = await (await database()).getAll('drafts');
    for (const { id } of stored.filter(matches)) await deleteDraft(id);
  } catch (error) {
    console.warn('What the browser stores cannot be deleted', error);
  }
}

/** Whether the browser's database takes an answer. It does not in some private windows, and on a full disk. */
export async function canStoreDrafts(): Promise<boolean> {
  const id = `probe-${randomUuid()}`;
  const nobody = {
    userId: '',
    setId: '',
    sessionId: '',
    setTitle: '',
    setUpdatedAt: '',
    technology: '',
    mediaType: '',
  };
  try {
    const transaction = (await database()).transaction('drafts', 'readwrite');
    await Promise.all([
      transaction.store.put({ id, ...nobody, questionId: 0, startedAtMs: 0 }),
      transaction.store.delete(id),
      transaction.done,
    ]);
    return true;
  } catch (error) {
    console.warn('The browser stores nothing', error);
    return false;
  }
}

function pieceOf(chunk: StoredChunk): Piece {
  return { blob: 'bytes' in chunk ? new Blob([chunk.bytes]) : chunk.blob, atMs: chunk.atMs };
}

async function storedAnswers(userId: string): Promise<UnsentAnswer[]> {
  const db = await database();
  // An empty list sorts after any text, so these are all sets.
  const drafts = await db.getAllFromIndex('drafts', 'owner', IDBKeyRange.bound([userId], [userId, []]));
  return Promise.all(
    drafts.map(async (draft) => {
      const chunks = await db.getAllFromIndex('chunks', 'draft', draft.id);
      chunks.sort((one, other) => one.seq - other.seq);
      return unsentAnswerOf(draft, chunks.map(pieceOf), true);
    }),
  );
}

/** A user's unsent answers for a set, oldest first, without those that the server would refuse. */
export async function unsentAnswers(userId: string, setId: string): Promise<UnsentAnswer[]> {
  return (await allUnsentAnswers(userId)).filter((draft) => draft.setId === setId);
}

/** A user's unsent answers for all sets, oldest first, without those that the server would refuse. */
export async function allUnsentAnswers(userId: string): Promise<UnsentAnswer[]> {
  await Promise.all(writing.values());
  const held = heldInTab(userId).map(({ draft, pieces }) => unsentAnswerOf(draft, pieces, false));
  const stored = await storedAnswers(userId).catch((error: unknown) => {
    console.warn('What the browser stores cannot be looked up', error);
    return [];
  });
  return [...stored.filter(({ id }) => held.every((whole) => whole.id !== id)), ...held]
    .filter(({ answer }) => answerSizeError(answer.blob.size) === null)
    .sort((one, other) => one.startedAtMs - other.startedAtMs);
}
