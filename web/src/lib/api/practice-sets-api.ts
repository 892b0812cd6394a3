import type { PracticeSet } from '@interview-prep/contracts/sets';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { practiceSetsRequest } from './first-requests.ts';

const practiceSetsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPracticeSets: build.query<PracticeSet[], void>({
      query: () => ({ ...practiceSetsRequest, credentials: 'include' }),
      transformResponse: ({ practiceSets }: { practiceSets: PracticeSet[] }) => practiceSets,
      providesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.fetchPracticeSets },
    }),
  }),
});

export const { useListPracticeSetsQuery, useLazyListPracticeSetsQuery } = practiceSetsApi;
