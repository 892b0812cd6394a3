import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { StoredChunk, StoredDraft } from './stored-draft.ts';

interface DraftsSchema extends DBSchema {
  /** The index covers unencrypted drafts only. Earlier releases use it. */
  drafts: { key: string; value: StoredDraft; indexes: { owner: [string, string] } };
  chunks: { key: [string, number]; value: StoredChunk; indexes: { draft: string } };
}

export type DraftsDatabase = IDBPDatabase<DraftsSchema>;

let opened: Promise<DraftsDatabase> | null = null;

function forget(): void {
  opened = null;
}

/** The database of unsent answers. @throws where the browser stores nothing: in some private windows, and on a full disk */
export function draftsDatabase(): Promise<DraftsDatabase> {
  opened ??= openDB<DraftsSchema>('interview-answers', 1, {
    upgrade(db) {
      db.createObjectStore('drafts', { keyPath: 'id' }).createIndex('owner', ['userId', 'setId']);
      db.createObjectStore('chunks', { keyPath: ['draftId', 'seq'] }).createIndex('draft', 'draftId');
    },
    // Another page deletes the database, or brings it to a later version.
    blocking(_current, _wanted, event) {
      forget();
      (event.target as IDBDatabase).close();
    },
    terminated: forget,
  });
  // Try again next time: the browser may refuse only now (private mode, full disk).
  opened.catch(forget);
  return opened;
}
