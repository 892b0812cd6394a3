import type { InterviewSet } from '@interview-prep/contracts/sets';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';

const interviewSetsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listInterviewSets: build.query<InterviewSet[], void>({
      query: () => '/api/interviews/sets',
      transformResponse: ({ interviewSets }: { interviewSets: InterviewSet[] }) => interviewSets,
      providesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.fetchInterviewSets },
    }),
  }),
});

export const { useListInterviewSetsQuery, useLazyListInterviewSetsQuery } = interviewSetsApi;
