import type { Progress, ReviewQuestion } from '@interview-prep/contracts/progress';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { progressRequest, reviewsRequest } from './first-requests.ts';

/** The questions that come back, the soonest first; `dueCount` of `total` are due now. */
export interface Reviews {
  questions: ReviewQuestion[];
  dueCount: number;
  total: number;
}

const progressApi = api.injectEndpoints({
  endpoints: (build) => ({
    progress: build.query<Progress, void>({
      query: progressRequest,
      providesTags: ['InterviewHistory', 'PracticeHistory'],
      extraOptions: { fallback: fallbacks.fetchProgress },
    }),
    reviews: build.query<Reviews, void>({
      query: () => reviewsRequest,
      providesTags: ['InterviewHistory'],
      extraOptions: { fallback: fallbacks.fetchReviews },
    }),
  }),
});

export const { useProgressQuery, useReviewsQuery } = progressApi;
