import type { Technology } from '@interview-prep/contracts/technologies';
import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { technologiesRequest } from './first-requests.ts';

const technologiesApi = api.injectEndpoints({
  endpoints: (build) => ({
    listTechnologies: build.query<Technology[], void>({
      query: () => technologiesRequest,
      transformResponse: ({ technologies }: { technologies: Technology[] }) => technologies,
      providesTags: ['Technologies'],
      extraOptions: { fallback: fallbacks.fetchTechnologies },
    }),
  }),
});

export const { useListTechnologiesQuery } = technologiesApi;
