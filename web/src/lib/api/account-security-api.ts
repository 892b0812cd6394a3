import type { AccountSecurity } from '@interview-prep/contracts/account-security';
import type { ProviderAnswer, ProviderId, ProviderRedirect } from '@interview-prep/contracts/identities';
import type { Passkey } from '@interview-prep/contracts/passkeys';
import type { TotpSecret } from '@interview-prep/contracts/second-factor-step';
import type { SignInPlace } from '@interview-prep/contracts/sign-ins';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';

interface RecoveryCodes {
  recoveryCodes: string[];
}

/** One of them. */
interface StepUpProof {
  password?: string;
  code?: string;
  passkey?: AuthenticationResponseJSON;
}

const endFailed = 'Failed to end the sign-in';
const changeFailed = 'Failed to change the sign-in';

/** How the user signs in. Calls that need a fresh sign-in ask for it by themselves, see base-api. */
const accountSecurityApi = api.injectEndpoints({
  endpoints: (build) => ({
    getAccountSecurity: build.query<AccountSecurity, void>({
      query: () => '/api/auth/security',
      providesTags: ['Security'],
      extraOptions: { fallback: fallbacks.fetchData },
    }),
    /** Answers with a fresh token of the same sign-in. */
    stepUp: build.mutation<{ token: string }, StepUpProof>({
      query: (body) => ({ url: '/api/auth/step-up', method: 'POST', body }),
      extraOptions: { fallback: 'Failed to confirm that it is you' },
    }),
    beginTotp: build.mutation<TotpSecret, void>({
      query: () => ({ url: '/api/auth/totp', method: 'POST' }),
      extraOptions: { fallback: changeFailed },
    }),
    confirmTotp: build.mutation<RecoveryCodes, { code: string }>({
      query: (body) => ({ url: '/api/auth/totp/confirm', method: 'POST', body }),
      invalidatesTags: ['Security'],
      extraOptions: { fallback: changeFailed },
    }),
    removeTotp: build.mutation<null, void>({
      query: () => ({ url: '/api/auth/totp', method: 'DELETE' }),
      invalidatesTags: ['Security'],
      extraOptions: { fallback: changeFailed },
    }),
    renewRecoveryCodes: build.mutation<RecoveryCodes, void>({
      query: () => ({ url: '/api/auth/recovery-codes', method: 'POST' }),
      invalidatesTags: ['Security'],
      extraOptions: { fallback: changeFailed },
    }),
    newPasskeyOptions: build.mutation<{ options: PublicKeyCredentialCreationOptionsJSON }, void>({
      query: () => ({ url: '/api/auth/passkeys/options', method: 'POST' }),
      extraOptions: { fallback: changeFailed },
    }),
    addPasskey: build.mutation<{ passkey: Passkey }, { passkey: RegistrationResponseJSON }>({
      query: (body) => ({ url: '/api/auth/passkeys', method: 'POST', body }),
      invalidatesTags: ['Security'],
      extraOptions: { fallback: changeFailed },
    }),
    listSignIns: build.query<SignInPlace[], void>({
      query: () => '/api/auth/sign-ins',
      transformResponse: ({ signIns }: { signIns: SignInPlace[] }) => signIns,
      providesTags: ['SignIns'],
      extraOptions: { fallback: fallbacks.fetchData },
    }),
    endSignIn: build.mutation<null, string>({
      query: (id) => ({ url: `/api/auth/sign-ins/${id}`, method: 'DELETE' }),
      invalidatesTags: ['SignIns'],
      extraOptions: { fallback: endFailed },
    }),
    endOtherSignIns: build.mutation<null, void>({
      query: () => ({ url: '/api/auth/sign-ins', method: 'DELETE' }),
      invalidatesTags: ['SignIns'],
      extraOptions: { fallback: endFailed },
    }),
    linkOidc: build.mutation<ProviderRedirect, void>({
      query: () => ({ url: '/api/auth/oidc/link', method: 'POST' }),
      extraOptions: { fallback: changeFailed },
    }),
    finishOidcLink: build.mutation<null, ProviderAnswer>({
      query: (body) => ({ url: '/api/auth/oidc/link/finish', method: 'POST', body }),
      invalidatesTags: ['Security'],
      extraOptions: { fallback: changeFailed },
    }),
    linkGoogle: build.mutation<null, { accessToken: string }>({
      query: (body) => ({ url: '/api/auth/google/link', method: 'POST', body }),
      invalidatesTags: ['Security'],
      extraOptions: { fallback: changeFailed },
    }),
    unlinkIdentity: build.mutation<null, ProviderId>({
      query: (provider) => ({ url: `/api/auth/identities/${provider}`, method: 'DELETE' }),
      invalidatesTags: ['Security'],
      extraOptions: { fallback: changeFailed },
    }),
    removePasskey: build.mutation<null, string>({
      query: (id) => ({ url: `/api/auth/passkeys/${id}`, method: 'DELETE' }),
      invalidatesTags: ['Security'],
      extraOptions: { fallback: changeFailed },
    }),
  }),
});

export const {
  useGetAccountSecurityQuery,
  useStepUpMutation,
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useRenewRecoveryCodesMutation,
  useNewPasskeyOptionsMutation,
  useAddPasskeyMutation,
  useRemovePasskeyMutation,
  useListSignInsQuery,
  useEndSignInMutation,
  useEndOtherSignInsMutation,
  useLinkOidcMutation,
  useFinishOidcLinkMutation,
  useLinkGoogleMutation,
  useUnlinkIdentityMutation,
} = accountSecurityApi;
