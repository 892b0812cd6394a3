import type { DraftCipher } from './draft-cipher.ts';
import { draftsDatabase } from './drafts-database.ts';
import { headOf, isEncryptedDraft, openedPiece, storedChunkOf, storedDraftOf } from './stored-draft.ts';

/**
 * Encrypts what the database has of a user in clear: of earlier releases, and of answers that began without a key. What is
 * deleted in the meantime stays deleted. Never throws.
 */
export async function encryptDrafts(userId: string, cipher: DraftCipher): Promise<void> {
  try {
    const db = await draftsDatabase();
    for (const stored of await db.getAll('drafts')) {
      if (headOf(stored).userId !== userId) continue;
      // The draft before its pieces: a page of an earlier release no longer finds it then.
      if (!isEncryptedDraft(stored)) {
        const encrypted = await storedDraftOf(stored, cipher);
        const transaction = db.transaction('drafts', 'readwrite');
        if (await transaction.store.get(stored.id)) await transaction.store.put(encrypted);
        await transaction.done;
      }
      for (const key of await db.getAllKeysFromIndex('chunks', 'draft', stored.id)) {
        const chunk = await db.get('chunks', key);
        const piece = chunk && !('encrypted' in chunk) ? await openedPiece(chunk, null) : null;
        if (!chunk || !piece) continue;
        const { draftId, seq, atMs } = chunk;
        const encrypted = await storedChunkOf({ draftId, seq, atMs }, await piece.blob.arrayBuffer(), cipher);
        const transaction = db.transaction('chunks', 'readwrite');
        if (await transaction.store.get(key)) await transaction.store.put(encrypted);
        await transaction.done;
      }
    }
  } catch (error) {
    console.warn('What the browser stores in clear cannot be encrypted yet', error);
  }
}
