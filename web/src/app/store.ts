import { combineReducers, configureStore, type Middleware } from '@reduxjs/toolkit';
import { api, signInEndedToast } from '../lib/api/base-api.ts';
import { awaitedSessionsReducer } from '../lib/live/awaited-sessions.ts';
import {
  restoredSignIn,
  selectToken,
  selectUser,
  signedIn,
  signedOut,
  signInReducer,
  signInReplaced,
  userChanged,
} from '../lib/state/sign-in-slice.ts';
import { clearStoredSignIn, readStoredSignIn, storageKeys, storeSignIn } from '../lib/state/sign-in-storage.ts';
import type { RootState } from '../lib/state/state-hooks.ts';
import { toast } from '../lib/toasts.ts';

/** Signs in and out together with other tabs. The token is written last, so once it changes both records are there. */
export function followOtherTabs(store: AppStore): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key !== storageKeys.token && key !== null) return;
    const stored = readStoredSignIn();
    if ((stored?.token ?? null) !== selectToken(store.getState())) store.dispatch(signInReplaced(stored));
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

const rootReducer = combineReducers({
  signIn: signInReducer,
  awaitedSessions: awaitedSessionsReducer,
  [api.reducerPath]: api.reducer,
});

/** Keeps local storage in sync with the sign-in, and clears a user's fetched data before the next one signs in. */
const persistSignIn: Middleware<unknown, RootState> = (store) => (next) => (action) => {
  const previousUserId = selectUser(store.getState())?.id;
  const result = next(action);
  if (signedIn.match(action) || userChanged.match(action)) {
    const { signIn } = store.getState();
    if (signIn.status === 'authenticated') storeSignIn(signIn.user, signIn.token);
  }
  if (signedOut.match(action)) clearStoredSignIn();
  const userId = selectUser(store.getState())?.id;
  if (previousUserId !== undefined && previousUserId !== userId) store.dispatch(api.util.resetApiState());
  if (previousUserId === undefined && userId !== undefined) toast.dismiss(signInEndedToast);
  return result;
};

/** Creates a store with the sign-in of the last visit. */
export function createStore() {
  return configureStore({
    reducer: rootReducer,
    preloadedState: { signIn: restoredSignIn(readStoredSignIn()) },
    middleware: (defaults) => defaults().concat(api.middleware, persistSignIn),
  });
}

export type AppStore = ReturnType<typeof createStore>;
