import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Answer } from './answer.ts';
import { answerFault } from './answer-fault.ts';

/** A recorded answer that the server does not have yet, as the browser's database keeps it. */
export interface Draft {
  id: string;
  userId: string;
  setId: string;
  sessionId: string;
  /** Zero-based. */
  questionId: number;
  setTitle: string;
  technology: string;
  mediaType: string;
  /** Milliseconds since 1970. */
  startedAtMs: number;
}

interface Chunk {
  draftId: string;
  seq: number;
  blob: Blob;
  /** Milliseconds since 1970. */
  atMs: number;
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

/** Begins to keep an answer, before its first sound. */
export async function beginDraft(draft: Draft): Promise<void> {
  await (await database()).put('drafts', draft);
}

/** Adds a piece of the recording, as it comes. */
export async function appendToDraft(draftId: string, seq: number, blob: Blob): Promise<void> {
  await (await database()).put('chunks', { draftId, seq, blob, atMs: Date.now() });
}

/** Forgets an answer: the server has it, or the person does not want it. */
export async function deleteDraft(draftId: string): Promise<void> {
  const transaction = (await database()).transaction(['drafts', 'chunks'], 'readwrite');
  const keys = await transaction.objectStore('chunks').index('draft').getAllKeys(draftId);
  await Promise.all([
    ...keys.map((key) => transaction.objectStore('chunks').delete(key)),
    transaction.objectStore('drafts').delete(draftId),
    transaction.done,
  ]);
}

/** A kept answer with its sound. */
export interface UnsentAnswer extends Draft {
  answer: Answer;
}

/** What a user recorded for a set and has not sent, oldest first. What would be refused is left out. */
export async function unsentAnswers(userId: string, setId: string): Promise<UnsentAnswer[]> {
  const db = await database();
  const drafts = await db.getAllFromIndex('drafts', 'owner', [userId, setId]);
  const unsent = await Promise.all(
    drafts.map(async (draft) => {
      const chunks = await db.getAllFromIndex('chunks', 'draft', draft.id);
      chunks.sort((one, other) => one.seq - other.seq);
      const blob = new Blob(
        chunks.map((chunk) => chunk.blob),
        { type: draft.mediaType },
      );
      const durationMs = Math.max(0, (chunks.at(-1)?.atMs ?? draft.startedAtMs) - draft.startedAtMs);
      return { ...draft, answer: { draftId: draft.id, blob, durationMs } };
    }),
  );
  return unsent
    .filter(({ answer }) => answerFault(answer.blob.size) === null)
    .sort((one, other) => one.startedAtMs - other.startedAtMs);
}
