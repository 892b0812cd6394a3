import type { InterviewItem } from '@interview-prep/contracts/history';
import type { InterviewSet } from '@interview-prep/contracts/sets';
import { api } from '../../app/base-api.ts';
import { fallbacks } from '../../app/messages.ts';
import { type LastTaken, lastTakenBySet } from './last-taken.ts';

const interviewSetsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listInterviewSets: build.query<InterviewSet[], void>({
      query: () => '/api/interviews/sets',
      transformResponse: ({ interviewSets }: { interviewSets: InterviewSet[] }) => interviewSets,
      providesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.fetchInterviewSets },
    }),
    /** When a user last took each set, by set id; from their latest 200 sessions. */
    lastTaken: build.query<Record<string, LastTaken>, { userId: string; email: string }>({
      query: ({ email }) => ({ url: '/api/interviews/history', params: { email, limit: 200 } }),
      transformResponse: ({ recordings }: { recordings: InterviewItem[] }, _meta, { userId }) =>
        lastTakenBySet(recordings, userId),
      providesTags: ['InterviewHistory'],
      extraOptions: { fallback: fallbacks.fetchInterviewHistory },
    }),
  }),
});

export const { useListInterviewSetsQuery, useLastTakenQuery } = interviewSetsApi;
