import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { shownSets } from './first-requests.ts';
import { endpoint, type RouteResult, routeRequest } from './route-request.ts';

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
    listInterviewSets: build.query<RouteResult<'listInterviewSets'>['interviewSets'], void>({
      ...endpoint('listInterviewSets', 'interviewSets'),
      query: () => routeRequest('listInterviewSets', shownSets),
      providesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.fetchInterviewSets },
    }),
    getPracticeSet: build.query({
      ...endpoint('getPracticeSet', 'practiceSet'),
      providesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.fetchPracticeSets },
    }),
    listPracticeSets: build.query<RouteResult<'listPracticeSets'>['practiceSets'], void>({
      ...endpoint('listPracticeSets', 'practiceSets'),
      query: () => routeRequest('listPracticeSets', shownSets),
      providesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.fetchPracticeSets },
    }),
  }),
});

export const {
  useListTechnologiesQuery,
  useChooseTechnologiesMutation,
  useListInterviewSetsQuery,
  useListPracticeSetsQuery,
  useGetPracticeSetQuery,
} = setsApi;
