import type { DraftCipher } from './draft-cipher.ts';
import { draftsDatabase } from './drafts-database.ts';
import { headOf, isEncryptedDraft, openPiece, toStoredChunk, toStoredDraft } from './stored-draft.ts';

/**
 * Encrypts a user's unencrypted drafts, from earlier releases or from before the key was loaded. Drafts that are deleted
 * in the meantime stay deleted. Never throws.
 */
export async function encryptDrafts(userId: string, cipher: DraftCipher): Promise<void> {
  try {
    const db = await draftsDatabase();
    for (const stored of await db.getAll('drafts')) {
      if (headOf(stored).userId !== userId) continue;
      // Encrypt the draft before its pieces, so that a page of an earlier release no longer finds it.
      if (!isEncryptedDraft(stored)) {
        const encrypted = await toStoredDraft(stored, cipher);
        const transaction = db.transaction('drafts', 'readwrite');
        if (await transaction.store.get(stored.id)) await transaction.store.put(encrypted);
        await transaction.done;
      }
      for (const key of await db.getAllKeysFromIndex('chunks', 'draft', stored.id)) {
        const chunk = await db.get('chunks', key);
        const piece = chunk && !('encrypted' in chunk) ? await openPiece(chunk, null) : null;
        if (!chunk || !piece) continue;
        const { draftId, seq, atMs } = chunk;
        const encrypted = await toStoredChunk({ draftId, seq, atMs }, await piece.blob.arrayBuffer(), cipher);
        const transaction = db.transaction('chunks', 'readwrite');
        if (await transaction.store.get(key)) await transaction.store.put(encrypted);
        await transaction.done;
      }
    }
  } catch (error) {
    console.warn('Cannot encrypt stored drafts yet', error);
  }
}
