import { unattendedHeader } from '@interview-prep/contracts/api/unattended-header';
import { stepUpCode } from '@interview-prep/contracts/auth/step-up-code';
import { type BaseQueryFn, createApi, type FetchArgs, fetchBaseQuery } from '@reduxjs/toolkit/query/react';
import { isAttended } from '../attendance.ts';
import { fallbacks, messages } from '../messages.ts';
import { type SignInState, signedOut } from '../state/sign-in-slice.ts';
import { askToConfirm } from '../step-up.ts';
import { toast } from '../toasts.ts';
import { type ApiError, apiError } from './api-error.ts';
import { fetchOrTake } from './early-answers.ts';
import { endpoint } from './route-request.ts';

/** The `extraOptions` of an endpoint: how its failures are handled. */
export interface EndpointOptions {
  /** The message if the server sends none. */
  fallback?: string;
  /** Whether a 401 means wrong credentials in the request, not an expired token. */
  anonymous?: boolean;
}

interface StateWithSignIn {
  signIn: SignInState;
}

function tokenOf({ signIn }: StateWithSignIn): string | null {
  return signIn.status === 'authenticated' ? signIn.token : null;
}

const send = fetchBaseQuery({
  baseUrl: '/',
  // The specification asks for credentials on some calls; sending them on all is simpler, and the API uses no cookies.
  credentials: 'include',
  fetchFn: (input) => fetchOrTake(input as Request),
  prepareHeaders: (headers, { getState }) => {
    const token = tokenOf(getState() as StateWithSignIn);
    if (token) headers.set('Authorization', `Bearer ${token}`);
    if (!isAttended()) headers.set(unattendedHeader, '1');
  },
});

/** The toast's id, so that concurrent 401s show only one. */
export const signInEndedToast = 'sign-in-ended';

/**
 * Adds the bearer token, maps failures to `ApiError`, and signs out when the server no longer accepts the token. If a call
 * needs a recent sign-in, it asks the user to confirm their identity and retries.
 */
const baseQuery: BaseQueryFn<string | FetchArgs, unknown, ApiError, EndpointOptions> = async (args, store, options) => {
  const usedToken = tokenOf(store.getState() as StateWithSignIn);
  const { data, error, meta } = await send(args, store, {});
  if (!error) return { data };
  const status = typeof error.status === 'number' ? error.status : null;
  const failure = apiError(
    status,
    error.data,
    options?.fallback ?? fallbacks.fetchData,
    meta?.response?.headers.get('Retry-After'),
  );
  if (status === 401 && !options?.anonymous) endSignIn(usedToken, store);
  if (failure.code === stepUpCode && (await askToConfirm())) return baseQuery(args, store, options);
  return { error: failure };
};

/** Signs out after the server rejected `usedToken`, unless a newer token has replaced it. */
export function endSignIn(
  usedToken: string | null,
  store: { getState: () => unknown; dispatch: (action: ReturnType<typeof signedOut>) => unknown },
): void {
  const { signIn } = store.getState() as StateWithSignIn;
  if (signIn.status !== 'authenticated' || signIn.token !== usedToken) return;
  store.dispatch(signedOut());
  const isAnswering = /^\/(interview|practice\/session)\//.test(window.location.pathname);
  toast.info(isAnswering ? messages.signIn.endedInSession : messages.signIn.ended, { id: signInEndedToast });
}

/** Every other API module adds its endpoints with `api.injectEndpoints`. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: [
    'Technologies',
    'InterviewSets',
    'PracticeSets',
    'InterviewHistory',
    'PracticeHistory',
    'SessionDetail',
    'Users',
    'Groups',
    'Assignments',
    'Calendar',
    'ApiKeys',
    'Webhooks',
    'LtiPlatforms',
    'LtiCourses',
    'Me',
    'Security',
    'SignIns',
  ],
  endpoints: (build) => ({
    /** Public settings, needed before sign-in; they don't change during a visit. */
    getSettings: build.query({
      ...endpoint('settings'),
      keepUnusedDataFor: 3600,
      extraOptions: { anonymous: true },
    }),
  }),
});

export const { useGetSettingsQuery } = api;
