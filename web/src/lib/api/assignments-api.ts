import { api } from './base-api.ts';
import { endpoint, failed } from './route-request.ts';

const changes = { invalidatesTags: ['Assignments' as const] };

/** Assignments of groups, and their progress. */
const assignmentsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAssignments: build.query({
      ...endpoint('listAssignments', 'assignments'),
      providesTags: ['Assignments'],
      ...failed('fetch assigned work'),
    }),
    createAssignment: build.mutation({
      ...endpoint('createAssignment', 'assignment'),
      ...changes,
      ...failed('assign the work'),
    }),
    updateAssignment: build.mutation({
      ...endpoint('updateAssignment', 'assignment'),
      ...changes,
      ...failed('change the assignment'),
    }),
    releaseFeedback: build.mutation({
      ...endpoint('releaseFeedback', 'assignment'),
      ...changes,
      ...failed('release the feedback'),
    }),
    extendAssignment: build.mutation({
      ...endpoint('extendAssignment', 'assignment'),
      ...changes,
      ...failed('change the due date'),
    }),
    remindMembers: build.mutation({ ...endpoint('remindMembers'), ...failed('remind the members') }),
    deleteAssignment: build.mutation({
      ...endpoint('deleteAssignment'),
      ...changes,
      ...failed('delete the assignment'),
    }),
    roster: build.query({ ...endpoint('roster', 'rows'), ...failed('fetch the roster') }),
    memberReport: build.query({ ...endpoint('memberReport', 'sessions'), ...failed('fetch the report') }),
    overruled: build.query({
      ...endpoint('overruled', 'overruled'),
      ...failed('fetch how often people changed scores'),
    }),
    rosterQuestions: build.query({ ...endpoint('rosterQuestions', 'questions'), ...failed('fetch the answers') }),
  }),
});

export const {
  useListAssignmentsQuery,
  useCreateAssignmentMutation,
  useUpdateAssignmentMutation,
  useReleaseFeedbackMutation,
  useExtendAssignmentMutation,
  useRemindMembersMutation,
  useDeleteAssignmentMutation,
  useRosterQuery,
  useOverruledQuery,
  useRosterQuestionsQuery,
  useMemberReportQuery,
} = assignmentsApi;
