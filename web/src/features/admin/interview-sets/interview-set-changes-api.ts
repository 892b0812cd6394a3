import type { InterviewSet, NewInterviewSet } from '@interview-prep/contracts/sets';
import { api } from '../../../lib/api/base-api.ts';
import { fallbacks } from '../../../lib/messages.ts';

const interviewSetOf = ({ interviewSet }: { interviewSet: InterviewSet }) => interviewSet;

/** Changes to interview sets. */
const interviewSetChangesApi = api.injectEndpoints({
  endpoints: (build) => ({
    createInterviewSet: build.mutation<InterviewSet, NewInterviewSet>({
      query: (body) => ({ url: '/api/interviews/sets', method: 'POST', body }),
      transformResponse: interviewSetOf,
      invalidatesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.createInterviewSet },
    }),
    updateInterviewSet: build.mutation<InterviewSet, { id: string; body: NewInterviewSet }>({
      query: ({ id, body }) => ({ url: `/api/interviews/sets/${id}`, method: 'PUT', body }),
      transformResponse: interviewSetOf,
      invalidatesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.updateInterviewSet },
    }),
    deleteInterviewSet: build.mutation<null, string>({
      query: (id) => ({ url: `/api/interviews/sets/${id}`, method: 'DELETE' }),
      invalidatesTags: ['InterviewSets'],
      extraOptions: { fallback: fallbacks.deleteInterviewSet },
    }),
  }),
});

export const { useCreateInterviewSetMutation, useUpdateInterviewSetMutation, useDeleteInterviewSetMutation } =
  interviewSetChangesApi;
