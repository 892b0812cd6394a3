import type { InterviewItem } from '@interview-prep/contracts/history';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { latestInterviewsRequest } from './first-requests.ts';
import { type LastTaken, lastTakenBySet } from './last-taken.ts';

const lastTakenApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** When a user last took each set, by set id; from their latest 200 sessions. */
    lastTaken: build.query<Record<string, LastTaken>, { userId: string; email: string }>({
      query: ({ email }) => latestInterviewsRequest(email),
      transformResponse: ({ recordings }: { recordings: InterviewItem[] }, _meta, { userId }) =>
        lastTakenBySet(recordings, userId),
      providesTags: ['InterviewHistory'],
      extraOptions: { fallback: fallbacks.fetchInterviewHistory },
    }),
  }),
});

export const { useLastTakenQuery } = lastTakenApi;
