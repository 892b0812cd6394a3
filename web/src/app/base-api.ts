import { type BaseQueryFn, createApi, type FetchArgs, fetchBaseQuery } from '@reduxjs/toolkit/query/react';
import { type ApiError, apiError } from './api-error.ts';
import { fallbacks, messages } from './messages.ts';
import { type SessionState, signedOut } from './session-slice.ts';
import { toast } from './toasts.ts';

/** `fallback`: the message where the server gives none. `anonymous`: a 401 is an answer to what was typed, not a dead session. */
export interface EndpointOptions {
  fallback?: string;
  anonymous?: boolean;
}

/** The token is read from the store at each call. */
interface StateWithSession {
  session: SessionState;
}

const tokenOf = ({ session }: StateWithSession) => (session.status === 'authenticated' ? session.token : null);

const send = fetchBaseQuery({
  baseUrl: '/',
  prepareHeaders: (headers, { getState }) => {
    const token = tokenOf(getState() as StateWithSession);
    if (token) headers.set('Authorization', `Bearer ${token}`);
  },
});

/** Told once, however many calls were refused, until somebody signs in. */
export const sessionToast = 'session-ended';

/** Every call: bearer token, the server's message or the fallback, and a session that the server no longer knows ends here. */
const baseQuery: BaseQueryFn<string | FetchArgs, unknown, ApiError, EndpointOptions> = async (args, store, options) => {
  const usedToken = tokenOf(store.getState() as StateWithSession);
  const { data, error, meta } = await send(args, store, {});
  if (!error) return { data };
  const status = typeof error.status === 'number' ? error.status : null;
  const failure = apiError(
    status,
    error.data,
    options?.fallback ?? fallbacks.fetchData,
    meta?.response?.headers.get('Retry-After'),
  );
  if (status === 401 && !options?.anonymous) endSession(usedToken, store);
  return { error: failure };
};

/** Signs out when the server refuses the token in use; an answer to a former token changes nothing. */
export function endSession(
  usedToken: string | null,
  store: { getState: () => unknown; dispatch: (action: ReturnType<typeof signedOut>) => unknown },
): void {
  const state = store.getState() as StateWithSession;
  if (state.session.status !== 'authenticated' || state.session.token !== usedToken) return;
  store.dispatch(signedOut());
  toast.info(messages.session.ended, { id: sessionToast });
}

/** Features add their endpoints with `api.injectEndpoints`. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: ['Technologies', 'InterviewSets', 'PracticeSets', 'InterviewHistory', 'PracticeHistory', 'Users', 'Me'],
  endpoints: () => ({}),
});
