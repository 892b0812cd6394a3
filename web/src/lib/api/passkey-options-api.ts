import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';

/** The challenge that a passkey answers, at a sign-in and at a step-up. */
const passkeyOptionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    passkeySignInOptions: build.mutation<{ options: PublicKeyCredentialRequestOptionsJSON }, void>({
      query: () => ({ url: '/api/auth/passkey-sign-in/options', method: 'POST' }),
      extraOptions: { fallback: fallbacks.authentication, anonymous: true },
    }),
  }),
});

export const { usePasskeySignInOptionsMutation } = passkeyOptionsApi;
