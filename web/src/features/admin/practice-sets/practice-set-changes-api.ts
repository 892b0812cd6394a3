import type { NewPracticeSet, PracticeSet } from '@interview-prep/contracts/sets';
import { api } from '../../../lib/api/base-api.ts';
import { fallbacks } from '../../../lib/messages.ts';

const practiceSetOf = ({ practiceSet }: { practiceSet: PracticeSet }) => practiceSet;
const credentials = 'include';

/** Changes to practice sets. Source: product specification, section 7 (with credentials; DELETE has its own path). */
const practiceSetChangesApi = api.injectEndpoints({
  endpoints: (build) => ({
    createPracticeSet: build.mutation<PracticeSet, NewPracticeSet>({
      query: (body) => ({ url: '/api/practice', method: 'POST', body, credentials }),
      transformResponse: practiceSetOf,
      invalidatesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.createPracticeSet },
    }),
    updatePracticeSet: build.mutation<PracticeSet, { id: string; body: NewPracticeSet }>({
      query: ({ id, body }) => ({ url: `/api/practice/${id}`, method: 'PUT', body, credentials }),
      transformResponse: practiceSetOf,
      invalidatesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.updatePracticeSet },
    }),
    deletePracticeSet: build.mutation<null, string>({
      query: (id) => ({ url: `/api/practices/sets/${id}`, method: 'DELETE', credentials }),
      invalidatesTags: ['PracticeSets'],
      extraOptions: { fallback: fallbacks.deletePracticeSet },
    }),
  }),
});

export const { useCreatePracticeSetMutation, useUpdatePracticeSetMutation, useDeletePracticeSetMutation } =
  practiceSetChangesApi;
