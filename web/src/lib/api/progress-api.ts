import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { latestInterviewsRequest, progressRequest } from './first-requests.ts';
import { type LastTaken, lastTakenBySet } from './last-taken.ts';
import { endpoint, type RouteResult } from './route-request.ts';

const progressApi = api.injectEndpoints({
  endpoints: (build) => ({
    progress: build.query<RouteResult<'progress'>, void>({
      query: progressRequest,
      providesTags: ['InterviewHistory', 'PracticeHistory'],
      extraOptions: { fallback: fallbacks.fetchProgress },
    }),
    /** The questions due for review, the soonest first. */
    reviews: build.query({
      ...endpoint('reviews'),
      providesTags: ['InterviewHistory'],
      extraOptions: { fallback: fallbacks.fetchReviews },
    }),
    /** When a user last took each set, by set id; from their latest 200 sessions. */
    lastTaken: build.query<Record<string, LastTaken>, { userId: string; email: string }>({
      query: ({ email }) => latestInterviewsRequest(email),
      transformResponse: ({ recordings }: RouteResult<'searchInterviewHistory'>, _meta, { userId }) =>
        lastTakenBySet(recordings, userId),
      providesTags: ['InterviewHistory'],
      extraOptions: { fallback: fallbacks.fetchInterviewHistory },
    }),
  }),
});

export const { useProgressQuery, useReviewsQuery, useLastTakenQuery } = progressApi;
