import type { NewReview } from '@interview-prep/contracts/reviews';
import type { NewShare, Share, SharedInterview } from '@interview-prep/contracts/shares';
import { historyApi } from '../history-api.ts';

/** Links to an interview, and the interview behind a link. */
const sharesApi = historyApi.injectEndpoints({
  endpoints: (build) => ({
    shares: build.query<{ shares: Share[]; enabled: boolean }, string>({
      query: (sessionId) => `/api/sessions/${encodeURIComponent(sessionId)}/shares`,
      extraOptions: { fallback: 'Failed to load the links' },
      providesTags: ['Shares'],
    }),
    createShare: build.mutation<{ share: Share; token: string }, { sessionId: string; body: NewShare }>({
      query: ({ sessionId, body }) => ({
        url: `/api/sessions/${encodeURIComponent(sessionId)}/shares`,
        method: 'POST',
        body,
      }),
      extraOptions: { fallback: 'Failed to create the link' },
      invalidatesTags: ['Shares'],
    }),
    revokeShare: build.mutation<null, string>({
      query: (id) => ({ url: `/api/shares/${encodeURIComponent(id)}`, method: 'DELETE' }),
      extraOptions: { fallback: 'Failed to revoke the link' },
      invalidatesTags: ['Shares'],
    }),
    sharedInterview: build.query<SharedInterview, string>({
      query: (token) => ({ url: '/api/shared', method: 'POST', body: { token } }),
      extraOptions: { fallback: 'Failed to open the link' },
    }),
    reviewShared: build.mutation<SharedInterview, { token: string; recordingId: string; body: NewReview }>({
      query: ({ token, recordingId, body }) => ({
        url: `/api/shared/recordings/${encodeURIComponent(recordingId)}/review`,
        method: 'PUT',
        body: { token, ...body },
      }),
      extraOptions: { fallback: 'Failed to save your feedback' },
      async onQueryStarted({ token }, { dispatch, queryFulfilled }) {
        const interview = await queryFulfilled.then(
          ({ data }) => data,
          () => null,
        );
        if (interview) dispatch(sharesApi.util.upsertQueryData('sharedInterview', token, interview));
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
