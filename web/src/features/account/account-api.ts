import { api } from '../../lib/api/base-api.ts';
import { endpoint } from '../../lib/api/route-request.ts';
import { fallbacks } from '../../lib/messages.ts';
import { userChanged } from '../../lib/state/sign-in-slice.ts';

/** The user's own account. Requesting and using a reset link need no sign-in, so both are `anonymous`. */
const accountApi = api.injectEndpoints({
  endpoints: (build) => ({
    requestPasswordReset: build.mutation({
      ...endpoint('forgotPassword'),
      extraOptions: { fallback: fallbacks.requestPasswordReset, anonymous: true },
    }),
    resetPassword: build.mutation({
      ...endpoint('resetPassword'),
      extraOptions: { fallback: fallbacks.resetPassword, anonymous: true },
    }),
    getLinksAfterReset: build.query({
      ...endpoint('linksAfterReset', 'links'),
      extraOptions: { anonymous: true },
      keepUnusedDataFor: 0,
    }),
    removeAccess: build.mutation({
      ...endpoint('removeAccess'),
      extraOptions: { fallback: 'Failed to remove access', anonymous: true },
    }),
    checkResetLink: build.query({
      ...endpoint('checkResetLink'),
      extraOptions: { fallback: fallbacks.resetPassword, anonymous: true },
      keepUnusedDataFor: 0,
    }),
    /** Returns a new token, since the server revoked all of the user's tokens. */
    changePassword: build.mutation({
      ...endpoint('changePassword'),
      extraOptions: { fallback: fallbacks.changePassword },
    }),
    /** Without a password, the server requires a sign-in within the last ten minutes. */
    deleteAccount: build.mutation({
      ...endpoint('deleteAccount'),
      extraOptions: { fallback: 'Failed to delete the account' },
    }),
    chooseMails: build.mutation({
      ...endpoint('chooseMails', 'user'),
      invalidatesTags: ['Me'],
      extraOptions: { fallback: fallbacks.updateUser },
    }),
    getCalendar: build.query({ ...endpoint('getCalendar', 'createdAt'), providesTags: ['Calendar'] }),
    createCalendar: build.mutation({ ...endpoint('createCalendar'), invalidatesTags: ['Calendar'] }),
    deleteCalendar: build.mutation({ ...endpoint('deleteCalendar'), invalidatesTags: ['Calendar'] }),
    getMe: build.query({
      ...endpoint('me'),
      providesTags: ['Me'],
      // An admin may have changed the technologies since the sign-in; all screens must agree.
      async onQueryStarted(_arg, { dispatch, queryFulfilled }) {
        const answer = await queryFulfilled.catch(() => null);
        if (answer?.data.user) dispatch(userChanged({ user: answer.data.user }));
      },
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
  useGetCalendarQuery,
  useCreateCalendarMutation,
  useDeleteCalendarMutation,
  useGetMeQuery,
} = accountApi;
