import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';

const begunInterviewApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** An interview in progress, from the server. */
    begunInterview: build.query({
      ...endpoint('interviewDetail'),
      // It must not predate the last upload.
      keepUnusedDataFor: 0,
      extraOptions: { fallback: fallbacks.fetchInterviewDetails },
    }),
  }),
});

export const { useBegunInterviewQuery } = begunInterviewApi;
