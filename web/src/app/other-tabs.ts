import { selectToken, signInReplaced } from '../lib/state/sign-in-slice.ts';
import { readStoredSignIn, storageKeys } from '../lib/state/sign-in-storage.ts';
import type { AppStore } from './store.ts';

/** Signs in and out together with the other tabs. The token is written last, so when it changes both records are there. */
export function followOtherTabs(store: AppStore): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key !== storageKeys.token && key !== null) return;
    const stored = readStoredSignIn();
    if ((stored?.token ?? null) !== selectToken(store.getState())) store.dispatch(signInReplaced(stored));
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}
