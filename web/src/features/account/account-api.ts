import type { LinkAfterReset, OtherAccess, PasswordReset } from '@interview-prep/contracts/password-reset';
import type { User } from '@interview-prep/contracts/users';
import { api } from '../../lib/api/base-api.ts';
import { fallbacks } from '../../lib/messages.ts';

/** `token` replaces the current one: the server revoked every token of the user. */
interface PasswordChanged {
  message: string;
  token?: string;
}

/** The user's own account. Requesting and using a reset link need no sign-in: both are `anonymous`. */
const accountApi = api.injectEndpoints({
  endpoints: (build) => ({
    requestPasswordReset: build.mutation<{ message: string }, { email: string }>({
      query: (body) => ({ url: '/api/auth/forgot-password', method: 'POST', body }),
      extraOptions: { fallback: fallbacks.requestPasswordReset, anonymous: true },
    }),
    resetPassword: build.mutation<PasswordReset, { token: string; password: string }>({
      query: (body) => ({ url: '/api/auth/reset-password', method: 'POST', body }),
      extraOptions: { fallback: fallbacks.resetPassword, anonymous: true },
    }),
    /** What the ticket of a reset shows and removes: other access to the account. */
    getLinksAfterReset: build.query<LinkAfterReset[], string>({
      query: (ticket) => ({ url: '/api/shares/after-reset', method: 'POST', body: { ticket } }),
      transformResponse: ({ links }: { links: LinkAfterReset[] }) => links,
      extraOptions: { fallback: fallbacks.fetchData, anonymous: true },
      keepUnusedDataFor: 0,
    }),
    removeAccess: build.mutation<OtherAccess, string>({
      query: (ticket) => ({ url: '/api/auth/reset-password/remove-access', method: 'POST', body: { ticket } }),
      extraOptions: { fallback: 'Failed to remove access', anonymous: true },
    }),
    checkResetLink: build.query<null, string>({
      query: (token) => ({ url: '/api/auth/reset-password/check', method: 'POST', body: { token } }),
      extraOptions: { fallback: fallbacks.resetPassword, anonymous: true },
      keepUnusedDataFor: 0,
    }),
    changePassword: build.mutation<PasswordChanged, { currentPassword: string; newPassword: string }>({
      query: (body) => ({ url: '/api/auth/change-password', method: 'POST', body }),
      extraOptions: { fallback: fallbacks.changePassword },
    }),
    /** Without a password the server wants a sign-in of the last ten minutes. */
    deleteAccount: build.mutation<null, { password?: string }>({
      query: (body) => ({ url: '/api/auth/delete-account', method: 'POST', body }),
      extraOptions: { fallback: 'Failed to delete the account' },
    }),
    chooseMails: build.mutation<User, { reviewMail: boolean }>({
      query: (body) => ({ url: '/api/auth/mails', method: 'PUT', body }),
      transformResponse: ({ user }: { user: User }) => user,
      invalidatesTags: ['Me'],
      extraOptions: { fallback: fallbacks.updateUser },
    }),
    /** `sendsMail`: whether the product has a mail server. */
    getMe: build.query<{ user: User; sendsMail: boolean }, void>({
      query: () => '/api/auth/me',
      providesTags: ['Me'],
      extraOptions: { fallback: fallbacks.fetchData },
    }),
  }),
});

export const {
  useRequestPasswordResetMutation,
  useResetPasswordMutation,
  useGetLinksAfterResetQuery,
  useRemoveAccessMutation,
  useCheckResetLinkQuery,
  useChangePasswordMutation,
  useDeleteAccountMutation,
  useChooseMailsMutation,
  useGetMeQuery,
} = accountApi;
