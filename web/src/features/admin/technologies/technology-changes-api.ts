import type { Technology } from '@interview-prep/contracts/technologies';
import { api } from '../../../lib/api/base-api.ts';
import { fallbacks } from '../../../lib/messages.ts';

const technologyOf = ({ technology }: { technology: Technology }) => technology;

/** Changes to technologies. Renaming or deleting one changes the technology name that sets show. */
const technologyChangesApi = api.injectEndpoints({
  endpoints: (build) => ({
    createTechnology: build.mutation<Technology, { name: string }>({
      query: (body) => ({ url: '/api/technologies', method: 'POST', body }),
      transformResponse: technologyOf,
      invalidatesTags: ['Technologies'],
      extraOptions: { fallback: fallbacks.createTechnology },
    }),
    updateTechnology: build.mutation<Technology, { id: string; name: string }>({
      query: ({ id, name }) => ({ url: `/api/technologies/${id}`, method: 'PUT', body: { name } }),
      transformResponse: technologyOf,
      invalidatesTags: ['Technologies', 'InterviewSets', 'PracticeSets'],
      extraOptions: { fallback: fallbacks.updateTechnology },
    }),
    deleteTechnology: build.mutation<null, string>({
      query: (id) => ({ url: `/api/technologies/${id}`, method: 'DELETE' }),
      invalidatesTags: ['Technologies', 'InterviewSets', 'PracticeSets'],
      extraOptions: { fallback: fallbacks.deleteTechnology },
    }),
  }),
});

export const { useCreateTechnologyMutation, useUpdateTechnologyMutation, useDeleteTechnologyMutation } =
  technologyChangesApi;
