import type { PracticeSet } from '@interview-prep/contracts/sets';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';

const practiceSetsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPracticeSets: build.query<PracticeSet[], void>({
      query: () => ({ url: '/api/practice', credentials: 'include' }),
      transformResponse: ({ practiceSets }: { practiceSets: PracticeSet[] }) => practiceSets,
      providesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.fetchPracticeSets },
    }),
  }),
});

export const { useListPracticeSetsQuery, useLazyListPracticeSetsQuery } = practiceSetsApi;
