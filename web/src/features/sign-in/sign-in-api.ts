import type { ProviderAnswer, ProviderRedirect } from '@interview-prep/contracts/identities';
import type { SecondFactorStep } from '@interview-prep/contracts/second-factor-step';
import type { SignedInUser, SignInAnswer } from '@interview-prep/contracts/users';
import type { AuthenticationResponseJSON } from '@simplewebauthn/browser';
import { api } from '../../lib/api/base-api.ts';
import { fallbacks } from '../../lib/messages.ts';

/** A signed-in user, or the step that is missing. */
export type SignInOutcome = SignedInUser | { secondFactor: SecondFactorStep };

const outcomeOf = (answer: SignInAnswer): SignInOutcome => ('secondFactor' in answer ? answer : answer.user);

/** Signs in and out. All are `anonymous`: their 401 does not mean an expired token. */
const signInApi = api.injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation<SignInOutcome, { email: string; password: string }>({
      query: (body) => ({ url: '/api/auth/login', method: 'POST', body }),
      transformResponse: outcomeOf,
      extraOptions: { fallback: fallbacks.authentication, anonymous: true },
    }),
    googleLogin: build.mutation<SignInOutcome, { accessToken: string }>({
      query: (body) => ({ url: '/api/auth/google', method: 'POST', body }),
      transformResponse: outcomeOf,
      extraOptions: { fallback: fallbacks.googleAuthentication, anonymous: true },
    }),
    oidcSignIn: build.mutation<ProviderRedirect, void>({
      query: () => ({ url: '/api/auth/oidc', method: 'POST' }),
      extraOptions: { fallback: fallbacks.authentication, anonymous: true },
    }),
    finishOidcSignIn: build.mutation<SignInOutcome, ProviderAnswer>({
      query: (body) => ({ url: '/api/auth/oidc/finish', method: 'POST', body }),
      transformResponse: outcomeOf,
      extraOptions: { fallback: fallbacks.authentication, anonymous: true },
    }),
    secondFactor: build.mutation<{ user: SignedInUser; recoveryCodes?: string[] }, { challenge: string; code: string }>(
      {
        query: (body) => ({ url: '/api/auth/second-factor', method: 'POST', body }),
        extraOptions: { fallback: fallbacks.authentication, anonymous: true },
      },
    ),
    passkeySignIn: build.mutation<{ user: SignedInUser }, { passkey: AuthenticationResponseJSON }>({
      query: (body) => ({ url: '/api/auth/passkey-sign-in', method: 'POST', body }),
      extraOptions: { fallback: fallbacks.authentication, anonymous: true },
    }),
    logout: build.mutation<null, void>({
      query: () => ({ url: '/api/auth/logout', method: 'POST' }),
      extraOptions: { anonymous: true },
    }),
  }),
});

export const {
  useLoginMutation,
  useGoogleLoginMutation,
  useOidcSignInMutation,
  useFinishOidcSignInMutation,
  useSecondFactorMutation,
  usePasskeySignInMutation,
  useLogoutMutation,
} = signInApi;
