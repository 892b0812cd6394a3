import { endpoint } from '../../../lib/api/route-request.ts';
import { historyApi } from '../history-api.ts';

/** Share links, and the interview behind a link. */
const sharesApi = historyApi.injectEndpoints({
  endpoints: (build) => ({
    shares: build.query({
      ...endpoint('listShares'),
      extraOptions: { fallback: 'Failed to load the links' },
      providesTags: ['Shares'],
    }),
    createShare: build.mutation({
      ...endpoint('createShare'),
      extraOptions: { fallback: 'Failed to create the link' },
      invalidatesTags: ['Shares'],
    }),
    revokeShare: build.mutation({
      ...endpoint('revokeShare'),
      extraOptions: { fallback: 'Failed to revoke the link' },
      invalidatesTags: ['Shares'],
    }),
    sharedInterview: build.query({
      ...endpoint('readShare'),
      extraOptions: { fallback: 'Failed to open the link' },
    }),
    reviewShared: build.mutation({
      ...endpoint('reviewShared'),
      extraOptions: { fallback: 'Failed to save your feedback' },
      async onQueryStarted({ token }, { dispatch, queryFulfilled }) {
        const interview = await queryFulfilled.then(
          ({ data }) => data,
          () => null,
        );
        if (interview) dispatch(sharesApi.util.upsertQueryData('sharedInterview', { token }, interview));
      },
    }),
  }),
});

export const {
  useSharesQuery,
  useCreateShareMutation,
  useRevokeShareMutation,
  useSharedInterviewQuery,
  useReviewSharedMutation,
} = sharesApi;
