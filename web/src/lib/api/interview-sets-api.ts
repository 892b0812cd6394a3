import type { InterviewSet } from '@interview-prep/contracts/sets';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { interviewSetsRequest } from './first-requests.ts';

const interviewSetsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listInterviewSets: build.query<InterviewSet[], void>({
      query: () => interviewSetsRequest,
      transformResponse: ({ interviewSets }: { interviewSets: InterviewSet[] }) => interviewSets,
      providesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.fetchInterviewSets },
    }),
  }),
});

export const { useListInterviewSetsQuery, useLazyListInterviewSetsQuery } = interviewSetsApi;
