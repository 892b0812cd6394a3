import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import type { api } from '../api/base-api.ts';
import type { AwaitedSession } from '../live/awaited-sessions.ts';
import type { SignInState } from './sign-in-slice.ts';

/** The state of the store in `app/store.ts`. Declared here because features need it and may not import the app. */
export interface RootState {
  signIn: SignInState;
  awaitedSessions: AwaitedSession[];
  api: ReturnType<typeof api.reducer>;
}

export type AppDispatch = ThunkDispatch<RootState, unknown, UnknownAction>;

/** `useDispatch` and `useSelector` with the types of this app's store. */
export const useAppDispatch = useDispatch.withTypes<AppDispatch>();
export const useAppSelector = useSelector.withTypes<RootState>();
