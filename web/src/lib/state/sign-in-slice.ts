import type { SignedInUser, User } from '@interview-prep/contracts/auth/users';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { StoredSignIn } from './sign-in-storage.ts';

/** Source: product specification, section 4, session. `token` is null if the server sent none. */
export type SignInState = { status: 'unauthenticated' } | { status: 'authenticated'; user: User; token: string | null };

const unauthenticated: SignInState = { status: 'unauthenticated' };

/** The initial state, restored from the last visit. */
export function restoredSignIn(stored: StoredSignIn | null): SignInState {
  return stored ? { status: 'authenticated', ...stored } : unauthenticated;
}

const slice = createSlice({
  name: 'signIn',
  initialState: unauthenticated as SignInState,
  reducers: {
    signedIn: (_state, { payload }: PayloadAction<User & { token?: SignedInUser['token'] }>): SignInState => {
      const { token, ...user } = payload;
      return { status: 'authenticated', user, token: token ?? null };
    },
    /** The user's own record changed (technologies, plan), or the server issued a new token. */
    userChanged: (state, { payload }: PayloadAction<{ user?: User; token?: string }>): SignInState =>
      state.status === 'authenticated'
        ? { status: 'authenticated', user: payload.user ?? state.user, token: payload.token ?? state.token }
        : state,
    signedOut: (): SignInState => unauthenticated,
    /** Another tab signed in or out and changed the stored sign-in. */
    signInReplaced: (_state, { payload }: PayloadAction<StoredSignIn | null>): SignInState => restoredSignIn(payload),
  },
  selectors: {
    selectSignIn: (state) => state,
    selectUser: (state): User | null => (state.status === 'authenticated' ? state.user : null),
    selectToken: (state): string | null => (state.status === 'authenticated' ? state.token : null),
  },
});

export const { signInReplaced, signedIn, signedOut, userChanged } = slice.actions;
export const { selectSignIn, selectToken, selectUser } = slice.selectors;
export const signInReducer = slice.reducer;
