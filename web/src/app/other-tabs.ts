import { selectToken, sessionReplaced } from './session-slice.ts';
import { readSession, storageKeys } from './session-storage.ts';
import type { AppStore } from './store.ts';

/**
 * Signs in and out with the other tabs, which share the storage. Of the two records the token is written last:
 * when it changes, both are there.
 */
export function followOtherTabs(store: AppStore): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key !== storageKeys.token && key !== null) return;
    const stored = readSession();
    if ((stored?.token ?? null) !== selectToken(store.getState())) store.dispatch(sessionReplaced(stored));
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}
