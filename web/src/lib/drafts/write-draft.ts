import type { Draft, Piece } from './draft.ts';
import type { DraftCipher } from './draft-cipher.ts';
import { heldCipher, waitForCipher } from './draft-key.ts';
import { type DraftsDatabase, draftsDatabase } from './drafts-database.ts';
import { toStoredChunk, toStoredDraft } from './stored-draft.ts';
import { holdInTab } from './tab-memory.ts';

/** How long the first write waits for a key that is being fetched. The first piece arrives after a second. */
const keyWaitMs = 1000;

/** The pending writes of each draft, in order. */
const writing = new Map<string, Promise<void>>();

/** Resolves when all pending writes of one draft, or of all drafts, have finished. */
export async function draftsWritten(draftId?: string): Promise<void> {
  await Promise.all(draftId === undefined ? writing.values() : [writing.get(draftId)]);
}

/**
 * Starts storing an answer; the returned function appends a piece. Everything is encrypted once there is a key, and stored
 * unencrypted until then. After the first failed write no more pieces go to the database, so that it has no gaps, and this
 * tab keeps the whole answer.
 */
export function beginDraft(draft: Draft): (blob: Blob) => void {
  const pieces: Piece[] = [];
  let refused = false;
  let cipher: DraftCipher | null = null;
  const write = (step: (db: DraftsDatabase) => Promise<unknown>) => {
    const written = (writing.get(draft.id) ?? Promise.resolve())
      .then(async () => {
        if (!refused) await step(await draftsDatabase());
      })
      .catch((error: unknown) => {
        console.warn('The browser cannot store a copy of this answer', error);
        refused = true;
        holdInTab(draft, pieces);
      })
      .then(() => {
        if (writing.get(draft.id) === written) writing.delete(draft.id);
      });
    writing.set(draft.id, written);
  };
  const writeHead = async (db: DraftsDatabase) => db.put('drafts', await toStoredDraft(draft, cipher));

  write(async (db) => {
    cipher = await waitForCipher(draft.userId, keyWaitMs);
    if (cipher === null) console.warn('This answer is stored unencrypted until its key is loaded');
    await writeHead(db);
  });
  return (blob) => {
    const atMs = Date.now();
    const seq = pieces.push({ blob, atMs }) - 1;
    const reading = blob.arrayBuffer();
    // The error surfaces at the await below.
    reading.catch(() => {});
    write(async (db) => {
      const isFirstWithKey = cipher === null && heldCipher(draft.userId) !== null;
      cipher ??= heldCipher(draft.userId);
      // Before any encrypted piece, so that a page of an earlier release no longer finds the draft.
      if (isFirstWithKey) await writeHead(db);
      await db.put('chunks', await toStoredChunk({ draftId: draft.id, seq, atMs }, await reading, cipher));
    });
  };
}
