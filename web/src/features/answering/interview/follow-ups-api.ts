import type { OpenFollowUps } from '@interview-prep/contracts/follow-ups';
import { api } from '../../../lib/api/base-api.ts';

const followUpsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The follow-up questions of an interview that await an answer. */
    followUps: build.query<OpenFollowUps, string>({
      query: (interviewId) => `/api/sessions/${encodeURIComponent(interviewId)}/follow-ups`,
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useLazyFollowUpsQuery } = followUpsApi;
