import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { endpoint, type RouteInput, type RouteResult, routeRequest } from './route-request.ts';

const changes = {
  extraOptions: { fallback: 'Failed to change how you sign in' },
  invalidatesTags: ['Security'],
} as const;
const endings = { extraOptions: { fallback: 'Failed to sign out' }, invalidatesTags: ['SignIns'] } as const;

/** The user's sign-in methods. Calls that need a recent sign-in prompt for it on their own, see base-api. */
const accountSecurityApi = api.injectEndpoints({
  endpoints: (build) => ({
    getAccountSecurity: build.query({ ...endpoint('accountSecurity'), providesTags: ['Security'] }),
    /** The challenge for a passkey, for signing in and for confirming the user's identity. */
    passkeySignInOptions: build.mutation({
      ...endpoint('passkeySignInOptions'),
      transformResponse: ({ options }: RouteResult<'passkeySignInOptions'>) =>
        options as unknown as PublicKeyCredentialRequestOptionsJSON,
      extraOptions: { fallback: fallbacks.authentication, anonymous: true },
    }),
    /** Returns a new token for the same sign-in. */
    stepUp: build.mutation<
      RouteResult<'stepUp'>,
      { password?: string; code?: string; passkey?: AuthenticationResponseJSON }
    >({
      query: (proof) => routeRequest('stepUp', proof as RouteInput<'stepUp'>),
      extraOptions: { fallback: "Failed to confirm that it's you" },
    }),
    beginTotp: build.mutation({ ...endpoint('beginTotp'), extraOptions: changes.extraOptions }),
    confirmTotp: build.mutation({ ...endpoint('confirmTotp'), ...changes }),
    removeTotp: build.mutation({ ...endpoint('removeTotp'), ...changes }),
    renewRecoveryCodes: build.mutation({ ...endpoint('renewRecoveryCodes'), ...changes }),
    newPasskeyOptions: build.mutation({
      ...endpoint('newPasskeyOptions'),
      transformResponse: ({ options }: RouteResult<'newPasskeyOptions'>) =>
        options as unknown as PublicKeyCredentialCreationOptionsJSON,
      extraOptions: changes.extraOptions,
    }),
    addPasskey: build.mutation<RouteResult<'addPasskey'>, { passkey: RegistrationResponseJSON }>({
      query: (body) => routeRequest('addPasskey', body as RouteInput<'addPasskey'>),
      ...changes,
    }),
    removePasskey: build.mutation({ ...endpoint('removePasskey'), ...changes }),
    listSignIns: build.query({ ...endpoint('listSignIns', 'signIns'), providesTags: ['SignIns'] }),
    endSignIn: build.mutation({ ...endpoint('endSignIn'), ...endings }),
    endOtherSignIns: build.mutation({ ...endpoint('endOtherSignIns'), ...endings }),
    linkOidc: build.mutation({ ...endpoint('linkOidc'), extraOptions: changes.extraOptions }),
    finishOidcLink: build.mutation({ ...endpoint('finishOidcLink'), ...changes }),
    linkGoogle: build.mutation({ ...endpoint('linkGoogle'), ...changes }),
    unlinkIdentity: build.mutation({ ...endpoint('unlinkIdentity'), ...changes }),
  }),
});

export const {
  useGetAccountSecurityQuery,
  usePasskeySignInOptionsMutation,
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
