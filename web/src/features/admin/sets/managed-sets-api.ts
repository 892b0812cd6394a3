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
    createInterviewSet: build.mutation({
      ...endpoint('createInterviewSet', 'interviewSet'),
      invalidatesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.createInterviewSet },
    }),
    updateInterviewSet: build.mutation({
      ...editEndpoint('updateInterviewSet', 'interviewSet'),
      invalidatesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.updateInterviewSet },
    }),
    deleteInterviewSet: build.mutation({
      ...endpoint('deleteInterviewSet'),
      invalidatesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.deleteInterviewSet },
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
    createPracticeSet: build.mutation({
      ...endpoint('createPracticeSet', 'practiceSet'),
      invalidatesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.createPracticeSet },
    }),
    updatePracticeSet: build.mutation({
      ...editEndpoint('updatePracticeSet', 'practiceSet'),
      invalidatesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.updatePracticeSet },
    }),
    deletePracticeSet: build.mutation({
      ...endpoint('deletePracticeSet'),
      invalidatesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.deletePracticeSet },
    }),
  }),
});

export const {
  useListManagedInterviewSetsQuery,
  useLazyListManagedInterviewSetsQuery,
  useGetInterviewSetQuery,
  useChangeInterviewSetStatusMutation,
  useCreateInterviewSetMutation,
  useUpdateInterviewSetMutation,
  useDeleteInterviewSetMutation,
  useListManagedPracticeSetsQuery,
  useLazyListManagedPracticeSetsQuery,
  useChangePracticeSetStatusMutation,
  useCreatePracticeSetMutation,
  useUpdatePracticeSetMutation,
  useDeletePracticeSetMutation,
} = managedSetsApi;
