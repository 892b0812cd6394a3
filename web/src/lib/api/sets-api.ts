import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { endpoint } from './route-request.ts';

const setsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listTechnologies: build.query({
      ...endpoint('listTechnologies', 'technologies'),
      providesTags: ['Technologies'],
      extraOptions: { fallback: fallbacks.fetchTechnologies },
    }),
    /** The user's own technologies, as slugs. */
    chooseTechnologies: build.mutation({
      ...endpoint('updateUser', 'user'),
      invalidatesTags: ['Me', 'Users'],
      extraOptions: { fallback: fallbacks.updateUser },
    }),
    listInterviewSets: build.query({
      ...endpoint('listInterviewSets', 'interviewSets'),
      providesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.fetchInterviewSets },
    }),
    listPracticeSets: build.query({
      ...endpoint('listPracticeSets', 'practiceSets'),
      providesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.fetchPracticeSets },
    }),
  }),
});

export const {
  useListTechnologiesQuery,
  useChooseTechnologiesMutation,
  useListInterviewSetsQuery,
  useLazyListInterviewSetsQuery,
  useListPracticeSetsQuery,
  useLazyListPracticeSetsQuery,
} = setsApi;
