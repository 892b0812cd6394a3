import { api } from '../../../lib/api/base-api.ts';
import { editEndpoint, endpoint } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';

const invalidates = { invalidatesTags: ['PracticeSets'] } as const;

const practiceSetChangesApi = api.injectEndpoints({
  endpoints: (build) => ({
    createPracticeSet: build.mutation({
      ...endpoint('createPracticeSet', 'practiceSet'),
      ...invalidates,
      extraOptions: { fallback: fallbacks.createPracticeSet },
    }),
    updatePracticeSet: build.mutation({
      ...editEndpoint('updatePracticeSet', 'practiceSet'),
      ...invalidates,
      extraOptions: { fallback: fallbacks.updatePracticeSet },
    }),
    deletePracticeSet: build.mutation({
      ...endpoint('deletePracticeSet'),
      ...invalidates,
      extraOptions: { fallback: fallbacks.deletePracticeSet },
    }),
  }),
});

export const { useCreatePracticeSetMutation, useUpdatePracticeSetMutation, useDeletePracticeSetMutation } =
  practiceSetChangesApi;
