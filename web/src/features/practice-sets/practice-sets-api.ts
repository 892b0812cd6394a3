import type { PracticeSet } from '@interview-prep/contracts/sets';
import { api } from '../../app/base-api.ts';
import { fallbacks } from '../../app/messages.ts';

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

export const { useListPracticeSetsQuery } = practiceSetsApi;
