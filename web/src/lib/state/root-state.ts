import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { api } from '../api/base-api.ts';
import type { AwaitedSession } from '../live/awaited-sessions.ts';
import type { SignInState } from './sign-in-slice.ts';

/** The state of the store in `app/store.ts`. Declared here because features read it and may not import the app. */
export interface RootState {
  signIn: SignInState;
  awaitedSessions: AwaitedSession[];
  api: ReturnType<typeof api.reducer>;
}

export type AppDispatch = ThunkDispatch<RootState, unknown, UnknownAction>;
