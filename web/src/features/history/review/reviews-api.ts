import type { AppealItem, NewReview, ReviewAgreement } from '@interview-prep/contracts/reviews';
import { historyApi, type OfAnswer } from '../history-api.ts';
import { isAccepted } from '../is-accepted.ts';
import type { SessionRecording } from '../session-types.ts';

/** Appeals to a person, and people's verdicts. */
const reviewsApi = historyApi.injectEndpoints({
  endpoints: (build) => ({
    appeal: build.mutation<{ message: string }, OfAnswer & { reason: string }>({
      query: ({ recordingId, reason }) => ({
        url: `/api/recordings/${encodeURIComponent(recordingId)}/appeal`,
        method: 'POST',
        body: { reason },
      }),
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
    reviewAnswer: build.mutation<
      Required<Pick<SessionRecording, 'isCorrect' | 'correctnessPercentage' | 'assessment'>>,
      OfAnswer & { body: NewReview }
    >({
      query: ({ recordingId, body }) => ({
        url: `/api/recordings/${encodeURIComponent(recordingId)}/review`,
        method: 'PUT',
        body,
      }),
      extraOptions: { fallback: 'Failed to save your verdict' },
      invalidatesTags: ['Appeals'],
      async onQueryStarted({ recordingId, detailId }, { dispatch, queryFulfilled }) {
        const verdict = await queryFulfilled.then(
          ({ data }) => data,
          () => null,
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
    appeals: build.query<AppealItem[], void>({
      query: () => '/api/recordings/appeals',
      transformResponse: ({ appeals }: { appeals: AppealItem[] }) => appeals,
      extraOptions: { fallback: 'Failed to load the appeals' },
      providesTags: ['Appeals'],
    }),
    reviewAgreement: build.query<ReviewAgreement, void>({
      query: () => '/api/recordings/agreement',
      extraOptions: { fallback: 'Failed to load the agreement' },
      providesTags: ['Appeals'],
    }),
  }),
});

export const { useAppealMutation, useReviewAnswerMutation, useAppealsQuery, useReviewAgreementQuery } = reviewsApi;
