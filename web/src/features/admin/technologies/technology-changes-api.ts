import { api } from '../../../lib/api/base-api.ts';
import { editEndpoint, endpoint } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';

/** Changes to technologies. Renaming or deleting one changes the technology name that sets show. */
const technologyChangesApi = api.injectEndpoints({
  endpoints: (build) => ({
    createTechnology: build.mutation({
      ...endpoint('createTechnology', 'technology'),
      invalidatesTags: ['Technologies'],
      extraOptions: { fallback: fallbacks.createTechnology },
    }),
    updateTechnology: build.mutation({
      ...editEndpoint('updateTechnology', 'technology'),
      invalidatesTags: ['Technologies', 'InterviewSets', 'PracticeSets'],
      extraOptions: { fallback: fallbacks.updateTechnology },
    }),
    deleteTechnology: build.mutation({
      ...endpoint('deleteTechnology'),
      invalidatesTags: ['Technologies', 'InterviewSets', 'PracticeSets'],
      extraOptions: { fallback: fallbacks.deleteTechnology },
    }),
  }),
});

export const { useCreateTechnologyMutation, useUpdateTechnologyMutation, useDeleteTechnologyMutation } =
  technologyChangesApi;
