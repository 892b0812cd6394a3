import { combineReducers, configureStore, type Middleware } from '@reduxjs/toolkit';
import { api, sessionToast } from './base-api.ts';
import {
  restoredSession,
  type SessionState,
  selectUser,
  sessionReducer,
  signedIn,
  signedOut,
  userChanged,
} from './session-slice.ts';
import { clearSession, readSession, writeSession } from './session-storage.ts';
import { toast } from './toasts.ts';

const rootReducer = combineReducers({ session: sessionReducer, [api.reducerPath]: api.reducer });

const userIdOf = (state: unknown) => selectUser(state as { session: SessionState })?.id;

/** Keeps local storage in step with the session; nothing that one user fetched, or was told, is left for the next. */
const keepSession: Middleware = (store) => (next) => (action) => {
  const formerUserId = userIdOf(store.getState());
  const result = next(action);
  if (signedIn.match(action) || userChanged.match(action)) {
    const { session } = store.getState() as { session: SessionState };
    if (session.status === 'authenticated') writeSession(session.user, session.token);
  }
  if (signedOut.match(action)) clearSession();
  const userId = userIdOf(store.getState());
  if (formerUserId !== undefined && formerUserId !== userId) store.dispatch(api.util.resetApiState());
  if (formerUserId === undefined && userId !== undefined) toast.dismiss(sessionToast);
  return result;
};

/** A store that begins with the session of a former visit. */
export function createStore() {
  return configureStore({
    reducer: rootReducer,
    preloadedState: { session: restoredSession(readSession()) },
    middleware: (defaults) => defaults().concat(api.middleware, keepSession),
  });
}

export type AppStore = ReturnType<typeof createStore>;
export type RootState = ReturnType<typeof rootReducer>;
export type AppDispatch = AppStore['dispatch'];
