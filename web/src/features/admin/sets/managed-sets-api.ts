import type { PracticeSet } from '@interview-prep/contracts/catalog/sets';
import { api } from '../../../lib/api/base-api.ts';
import { editEndpoint, endpoint, type RouteResult, routeRequest } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';

/** An admin's lists, including drafts and archived sets. Omitting answers makes them ten times smaller. */
const managedSetsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listManagedInterviewSets: build.query({
      ...endpoint('listInterviewSets', 'interviewSets'),
      query: ({ answers }: { answers: boolean }) => routeRequest('listInterviewSets', { status: 'all', answers }),
      providesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.fetchInterviewSets },
    }),
    /** Without tags, so that a deleted set isn't fetched once more. */
    getInterviewSet: build.query({
      ...endpoint('getInterviewSet', 'interviewSet'),
      extraOptions: { fallback: fallbacks.fetchInterviewSets },
    }),
    changeInterviewSetStatus: build.mutation({
      ...editEndpoint('changeInterviewSetStatus', 'interviewSet'),
      invalidatesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.updateInterviewSet },
    }),
    /** With answers. */
    listManagedPracticeSets: build.query<PracticeSet[], void>({
      query: () => routeRequest('listPracticeSets', { status: 'all', answers: true }),
      transformResponse: ({ practiceSets }: RouteResult<'listPracticeSets'>) => practiceSets as PracticeSet[],
      providesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.fetchPracticeSets },
    }),
    changePracticeSetStatus: build.mutation({
      ...editEndpoint('changePracticeSetStatus', 'practiceSet'),
      invalidatesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.updatePracticeSet },
    }),
  }),
});

export const {
  useListManagedInterviewSetsQuery,
  useLazyListManagedInterviewSetsQuery,
  useGetInterviewSetQuery,
  useChangeInterviewSetStatusMutation,
  useListManagedPracticeSetsQuery,
  useLazyListManagedPracticeSetsQuery,
  useChangePracticeSetStatusMutation,
} = managedSetsApi;
