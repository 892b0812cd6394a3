import type { InterviewItem } from '@interview-prep/contracts/history/history';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { latestInterviewsRequest, progressRequest } from './first-requests.ts';
import { endpoint, type RouteResult } from './route-request.ts';

/** A user's latest session with a set. `average` is 0–100; null until an answer is judged. */
export interface LastTaken extends Pick<InterviewItem, 'answeredCount' | 'questionCount' | 'reviewedCount'> {
  interviewId: string;
  at: string;
  average: number | null;
}

/** The user's latest session of each set, by set id. An admin's history also contains other users' sessions. */
export function lastTakenBySet(items: readonly InterviewItem[], userId: string): Record<string, LastTaken> {
  const latest: Record<string, LastTaken> = {};
  for (const item of items) {
    if (item.userId !== userId) continue;
    const known = latest[item.interviewSetId];
    if (known && known.at >= item.createdAt) continue;
    const {
      _id: interviewId,
      createdAt: at,
      averageCorrectness: average,
      answeredCount,
      questionCount,
      reviewedCount,
    } = item;
    latest[item.interviewSetId] = { interviewId, at, average, answeredCount, questionCount, reviewedCount };
  }
  return latest;
}

const progressApi = api.injectEndpoints({
  endpoints: (build) => ({
    progress: build.query<RouteResult<'progress'>, void>({
      query: progressRequest,
      providesTags: ['InterviewHistory', 'PracticeHistory'],
      extraOptions: { fallback: fallbacks.fetchProgress },
    }),
    /** The questions due for review, soonest first. */
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
