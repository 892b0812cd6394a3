import type { SignedInUser } from '@interview-prep/contracts/users';
import { api } from '../../lib/api/base-api.ts';
import { fallbacks } from '../../lib/messages.ts';

/** Signs in and out. All are `anonymous`: their 401 does not mean an expired token. */
const signInApi = api.injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation<SignedInUser, { email: string; password: string }>({
      query: (body) => ({ url: '/api/auth/login', method: 'POST', body }),
      transformResponse: ({ user }: { user: SignedInUser }) => user,
      extraOptions: { fallback: fallbacks.authentication, anonymous: true },
    }),
    googleLogin: build.mutation<SignedInUser, { accessToken: string }>({
      query: (body) => ({ url: '/api/auth/google', method: 'POST', body }),
      transformResponse: ({ user }: { user: SignedInUser }) => user,
      extraOptions: { fallback: fallbacks.googleAuthentication, anonymous: true },
    }),
    logout: build.mutation<null, void>({
      query: () => ({ url: '/api/auth/logout', method: 'POST' }),
      extraOptions: { anonymous: true },
    }),
  }),
});

export const { useLoginMutation, useGoogleLoginMutation, useLogoutMutation } = signInApi;
