import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { answerSizeError } from './answer-size-error.ts';
import { type Draft, type Piece, type UnsentAnswer, unsentAnswerOf } from './draft.ts';
import { heldInTab, holdInTab, releaseFromTab } from './tab-memory.ts';

interface Chunk extends Piece {
  draftId: string;
  seq: number;
}

interface DraftsSchema extends DBSchema {
  drafts: { key: string; value: Draft; indexes: { owner: [string, string] } };
  chunks: { key: [string, number]; value: Chunk; indexes: { draft: string } };
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
  // A browser that refused once (private mode, full disk) may allow it later.
  opened.catch(() => {
    opened = null;
  });
  return opened;
}

/** What is being written of each draft, one thing after the other. */
const writing = new Map<string, Promise<void>>();

/**
 * Keeps an answer from its first sound on; the returned function adds a piece of the recording, as it comes. From the first
 * refusal of the browser's database on nothing more is written there, so that what it has is without a gap, and the tab holds the
 * whole answer.
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
    const piece = { blob, atMs: Date.now() };
    const seq = pieces.push(piece) - 1;
    write((db) => db.put('chunks', { draftId: draft.id, seq, ...piece }));
  };
}

/** Forgets an answer: the server has it, or the person does not want it. */
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

async function storedAnswers(userId: string, setId: string): Promise<UnsentAnswer[]> {
  const db = await database();
  const drafts = await db.getAllFromIndex('drafts', 'owner', [userId, setId]);
  return Promise.all(
    drafts.map(async (draft) => {
      const chunks = await db.getAllFromIndex('chunks', 'draft', draft.id);
      chunks.sort((one, other) => one.seq - other.seq);
      return unsentAnswerOf(draft, chunks, true);
    }),
  );
}

/** What a user recorded for a set and has not sent, oldest first. What would be refused is left out. */
export async function unsentAnswers(userId: string, setId: string): Promise<UnsentAnswer[]> {
  await Promise.all(writing.values());
  const held = heldInTab(userId, setId).map(({ draft, pieces }) => unsentAnswerOf(draft, pieces, false));
  const stored = await storedAnswers(userId, setId).catch((error: unknown) => {
    console.warn('What the browser stores cannot be looked up', error);
    return [];
  });
  return [...stored.filter(({ id }) => held.every((whole) => whole.id !== id)), ...held]
    .filter(({ answer }) => answerSizeError(answer.blob.size) === null)
    .sort((one, other) => one.startedAtMs - other.startedAtMs);
}
