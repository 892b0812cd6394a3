import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { StoredChunk, StoredDraft } from './stored-draft.ts';

interface DraftsSchema extends DBSchema {
  /** The index covers only unencrypted drafts, and is kept for earlier releases. */
  drafts: { key: string; value: StoredDraft; indexes: { owner: [string, string] } };
  chunks: { key: [string, number]; value: StoredChunk; indexes: { draft: string } };
}

export type DraftsDatabase = IDBPDatabase<DraftsSchema>;

let opened: Promise<DraftsDatabase> | null = null;

function forget(): void {
  opened = null;
}

/** The database of unsent answers. @throws if the browser can't store data: in some private windows, or with a full disk */
export function draftsDatabase(): Promise<DraftsDatabase> {
  opened ??= openDB<DraftsSchema>('interview-answers', 1, {
    upgrade(db) {
      db.createObjectStore('drafts', { keyPath: 'id' }).createIndex('owner', ['userId', 'setId']);
      db.createObjectStore('chunks', { keyPath: ['draftId', 'seq'] }).createIndex('draft', 'draftId');
    },
    // Another page is deleting or upgrading the database.
    blocking(_current, _wanted, event) {
      forget();
      (event.target as IDBDatabase).close();
    },
    terminated: forget,
  });
  // Retry next time: the failure may be temporary.
  opened.catch(forget);
  return opened;
}
