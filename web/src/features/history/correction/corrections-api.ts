import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { type RouteResult, routeRequest } from '../../../lib/api/route-request.ts';
import { historyApi, isAccepted, type OfAnswer } from '../history-api.ts';

/** The candidate's corrections of transcripts and verdicts. */
const correctionsApi = historyApi.injectEndpoints({
  endpoints: (build) => ({
    correctTranscript: build.mutation<RouteResult<'correctTranscript'>, OfAnswer & { kind: SessionKind; text: string }>(
      {
        query: ({ recordingId, text }) => routeRequest('correctTranscript', { id: recordingId, text }),
        extraOptions: { fallback: 'Failed to correct the transcript' },
        async onQueryStarted({ recordingId, kind, detailId, text }, { dispatch, queryFulfilled }) {
          if (!(await isAccepted(queryFulfilled))) return;
          // A reload now could still return the old state, so change it here.
          dispatch(
            historyApi.util.updateQueryData('sessionDetail', { kind, id: detailId }, (detail) => {
              const recording = detail.recordings.find(({ _id }) => _id === recordingId);
              if (!recording) return;
              // For interviews, the worker first decides whether the edit may count.
              if (recording.assessment) recording.assessment.status = 'pending';
              else recording.transcription.text = text;
            }),
          );
        },
      },
    ),
    claimPoint: build.mutation<
      RouteResult<'claimPoint'>,
      OfAnswer & { point: number; firstWord: number; lastWord: number }
    >({
      query: ({ recordingId, point, firstWord, lastWord }) =>
        routeRequest('claimPoint', { id: recordingId, point, firstWord, lastWord }),
      extraOptions: { fallback: 'Failed to rescore the point' },
      async onQueryStarted({ recordingId, detailId }, { dispatch, queryFulfilled }) {
        if (!(await isAccepted(queryFulfilled))) return;
        dispatch(
          historyApi.util.updateQueryData('sessionDetail', { kind: 'interview', id: detailId }, (detail) => {
            const assessment = detail.recordings.find(({ _id }) => _id === recordingId)?.assessment;
            if (assessment) assessment.status = 'pending';
          }),
        );
      },
    }),
  }),
});

export const { useCorrectTranscriptMutation, useClaimPointMutation } = correctionsApi;
