import type { SignedInUser, User } from '@interview-prep/contracts/users';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { StoredSession } from './session-storage.ts';

/** Source: product specification, section 4, session. `token` is null where a sign-in gave none. */
export type SessionState =
  | { status: 'unauthenticated' }
  | { status: 'authenticated'; user: User; token: string | null };

const unauthenticated: SessionState = { status: 'unauthenticated' };

/** The state to begin with, from what a former visit left. */
export const restoredSession = (stored: StoredSession | null): SessionState =>
  stored ? { status: 'authenticated', ...stored } : unauthenticated;

const slice = createSlice({
  name: 'session',
  initialState: unauthenticated as SessionState,
  reducers: {
    signedIn: (_state, { payload }: PayloadAction<User & { token?: SignedInUser['token'] }>): SessionState => {
      const { token, ...user } = payload;
      return { status: 'authenticated', user, token: token ?? null };
    },
    /** The user's own record changed (technologies, plan), or a new token took the place of the old one. */
    userChanged: (state, { payload }: PayloadAction<{ user?: User; token?: string }>): SessionState =>
      state.status === 'authenticated'
        ? { status: 'authenticated', user: payload.user ?? state.user, token: payload.token ?? state.token }
        : state,
    signedOut: (): SessionState => unauthenticated,
    /** Another tab signed in or out, and wrote so. */
    sessionReplaced: (_state, { payload }: PayloadAction<StoredSession | null>): SessionState =>
      restoredSession(payload),
  },
  selectors: {
    selectSession: (state) => state,
    selectUser: (state): User | null => (state.status === 'authenticated' ? state.user : null),
    selectToken: (state): string | null => (state.status === 'authenticated' ? state.token : null),
  },
});

export const { sessionReplaced, signedIn, signedOut, userChanged } = slice.actions;
export const { selectSession, selectToken, selectUser } = slice.selectors;
export const sessionReducer = slice.reducer;
