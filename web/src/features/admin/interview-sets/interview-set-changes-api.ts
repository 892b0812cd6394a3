import { api } from '../../../lib/api/base-api.ts';
import { editEndpoint, endpoint } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';

const invalidates = { invalidatesTags: ['InterviewSets'] } as const;

const interviewSetChangesApi = api.injectEndpoints({
  endpoints: (build) => ({
    createInterviewSet: build.mutation({
      ...endpoint('createInterviewSet', 'interviewSet'),
      ...invalidates,
      extraOptions: { fallback: fallbacks.createInterviewSet },
    }),
    updateInterviewSet: build.mutation({
      ...editEndpoint('updateInterviewSet', 'interviewSet'),
      ...invalidates,
      extraOptions: { fallback: fallbacks.updateInterviewSet },
    }),
    deleteInterviewSet: build.mutation({
      ...endpoint('deleteInterviewSet'),
      ...invalidates,
      extraOptions: { fallback: fallbacks.deleteInterviewSet },
    }),
  }),
});

export const { useCreateInterviewSetMutation, useUpdateInterviewSetMutation, useDeleteInterviewSetMutation } =
  interviewSetChangesApi;
