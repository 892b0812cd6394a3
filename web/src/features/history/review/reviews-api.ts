import type { NewReview } from '@interview-prep/contracts/recording/reviews';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { endpoint, type RouteResult, routeRequest, versionedRequest } from '../../../lib/api/route-request.ts';
import { historyApi, isAccepted, type OfAnswer } from '../history-api.ts';

/** Appeals and human reviews. */
const reviewsApi = historyApi.enhanceEndpoints({ addTagTypes: ['Snippets'] }).injectEndpoints({
  endpoints: (build) => ({
    appeal: build.mutation<RouteResult<'appeal'>, OfAnswer & { reason: string }>({
      query: ({ recordingId, reason }) => routeRequest('appeal', { id: recordingId, reason }),
      extraOptions: { fallback: 'Failed to request a human review' },
      async onQueryStarted({ recordingId, detailId, reason }, { dispatch, queryFulfilled }) {
        if (!(await isAccepted(queryFulfilled))) return;
        dispatch(
          historyApi.util.updateQueryData('sessionDetail', { kind: 'interview', id: detailId }, (detail) => {
            const assessment = detail.recordings.find(({ _id }) => _id === recordingId)?.assessment;
            if (assessment) assessment.appeal = { reason, createdAt: new Date().toISOString() };
          }),
        );
      },
    }),
    reviewAnswer: build.mutation<RouteResult<'review'>, OfAnswer & { body: NewReview; version: string | undefined }>({
      query: ({ recordingId, body, version }) => versionedRequest('review', { id: recordingId, ...body }, version),
      extraOptions: { fallback: 'Failed to save your verdict' },
      invalidatesTags: ['Appeals'],
      async onQueryStarted({ recordingId, detailId }, { dispatch, queryFulfilled }) {
        const verdict = await queryFulfilled.then<RouteResult<'review'> | null, null>(
          ({ data }) => data,
          ({ error }) => {
            // Another reviewer has saved a verdict in the meantime: show it.
            const detail = { kind: 'interview', id: detailId } as const;
            if ((error as ApiError).conflict)
              dispatch(historyApi.endpoints.sessionDetail.initiate(detail, { forceRefetch: true, subscribe: false }));
            return null;
          },
        );
        if (!verdict) return;
        // A reload now could still return the old verdict.
        dispatch(
          historyApi.util.updateQueryData('sessionDetail', { kind: 'interview', id: detailId }, (detail) => {
            const recording = detail.recordings.find(({ _id }) => _id === recordingId);
            if (recording) Object.assign(recording, verdict);
          }),
        );
      },
    }),
    reviewQueue: build.query({
      ...endpoint('reviewQueue'),
      extraOptions: { fallback: 'Failed to load the answers to review' },
      providesTags: ['Appeals'],
    }),
    listSnippets: build.query({
      ...endpoint('listSnippets', 'snippets'),
      extraOptions: { fallback: 'Failed to load your snippets' },
      providesTags: ['Snippets'],
    }),
    addSnippet: build.mutation({
      ...endpoint('addSnippet'),
      extraOptions: { fallback: 'Failed to add the snippet' },
      invalidatesTags: ['Snippets'],
    }),
    updateSnippet: build.mutation({
      ...endpoint('updateSnippet'),
      extraOptions: { fallback: 'Failed to change the snippet' },
      invalidatesTags: ['Snippets'],
    }),
    deleteSnippet: build.mutation({
      ...endpoint('deleteSnippet'),
      extraOptions: { fallback: 'Failed to delete the snippet' },
      invalidatesTags: ['Snippets'],
    }),
    reviewAgreement: build.query({
      ...endpoint('reviewAgreement'),
      extraOptions: { fallback: 'Failed to load the agreement' },
      providesTags: ['Appeals'],
    }),
  }),
});

export const {
  useAppealMutation,
  useReviewAnswerMutation,
  useReviewQueueQuery,
  useLazyReviewQueueQuery,
  useReviewAgreementQuery,
  useListSnippetsQuery,
  useAddSnippetMutation,
  useUpdateSnippetMutation,
  useDeleteSnippetMutation,
} = reviewsApi;
