import type { InterviewDetail } from '@interview-prep/contracts/history';
import { api } from '../../../lib/api/base-api.ts';
import { fallbacks } from '../../../lib/messages.ts';

const begunInterviewApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** An interview that was begun, with what the server has of it. */
    begunInterview: build.query<InterviewDetail, string>({
      query: (interviewId) => ({ url: `/api/interviews/${encodeURIComponent(interviewId)}`, credentials: 'include' }),
      // It must not be older than the last upload.
      keepUnusedDataFor: 0,
      extraOptions: { fallback: fallbacks.fetchInterviewDetails },
    }),
  }),
});

export const { useBegunInterviewQuery } = begunInterviewApi;
