import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';

const begunInterviewApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** An interview that was begun, as the server has it. */
    begunInterview: build.query({
      ...endpoint('interviewDetail'),
      // It must not be older than the last upload.
      keepUnusedDataFor: 0,
      extraOptions: { fallback: fallbacks.fetchInterviewDetails },
    }),
  }),
});

export const { useBegunInterviewQuery } = begunInterviewApi;
