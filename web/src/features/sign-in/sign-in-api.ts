import type { SecondFactorStep } from '@interview-prep/contracts/auth/second-factor-step';
import type { SignedInUser, SignInAnswer } from '@interview-prep/contracts/auth/users';
import type { AuthenticationResponseJSON } from '@simplewebauthn/browser';
import { api } from '../../lib/api/base-api.ts';
import { endpoint, type RouteInput, type RouteResult, routeRequest } from '../../lib/api/route-request.ts';
import { fallbacks } from '../../lib/messages.ts';

/** A signed-in user, or the remaining step. */
export type SignInOutcome = SignedInUser | { secondFactor: SecondFactorStep };

const transformResponse = (answer: SignInAnswer): SignInOutcome => ('secondFactor' in answer ? answer : answer.user);
const extraOptions = { fallback: fallbacks.authentication, anonymous: true };

/** Sign-in and sign-out calls. Nearly all are `anonymous`: their 401 doesn't mean an expired token. */
const signInApi = api.injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation({ ...endpoint('login'), transformResponse, extraOptions }),
    googleLogin: build.mutation({
      ...endpoint('googleSignIn'),
      transformResponse,
      extraOptions: { fallback: fallbacks.googleAuthentication, anonymous: true },
    }),
    oidcSignIn: build.mutation({ ...endpoint('oidcSignIn'), extraOptions }),
    finishOidcSignIn: build.mutation({ ...endpoint('finishOidcSignIn'), transformResponse, extraOptions }),
    secondFactor: build.mutation({ ...endpoint('secondFactor'), extraOptions }),
    passkeySignIn: build.mutation<RouteResult<'passkeySignIn'>, { passkey: AuthenticationResponseJSON }>({
      query: (body) => routeRequest('passkeySignIn', body as RouteInput<'passkeySignIn'>),
      extraOptions,
    }),
    finishLtiLaunch: build.mutation({
      ...endpoint('finishLtiLaunch'),
      transformResponse: ({ signIn, place }: RouteResult<'finishLtiLaunch'>) => ({
        outcome: transformResponse(signIn),
        place,
      }),
      extraOptions: { fallback: 'Failed to open the activity', anonymous: true },
    }),
    linkLti: build.mutation({
      ...endpoint('linkLti'),
      extraOptions: { fallback: 'Failed to link the course' },
      invalidatesTags: ['Groups', 'Assignments'],
    }),
    logout: build.mutation({ ...endpoint('logout'), extraOptions: { anonymous: true } }),
  }),
});

export const {
  useLoginMutation,
  useGoogleLoginMutation,
  useOidcSignInMutation,
  useFinishOidcSignInMutation,
  useSecondFactorMutation,
  usePasskeySignInMutation,
  useFinishLtiLaunchMutation,
  useLinkLtiMutation,
  useLogoutMutation,
} = signInApi;
