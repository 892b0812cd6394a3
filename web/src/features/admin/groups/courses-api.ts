import { api } from '../../../lib/api/base-api.ts';
import { endpoint, failed } from '../../../lib/api/route-request.ts';

/** The learning platforms' courses that are linked to groups. */
const coursesApi = api.injectEndpoints({
  endpoints: (build) => ({
    courses: build.query({
      ...endpoint('listLtiCourses', 'courses'),
      providesTags: ['LtiCourses'],
      ...failed('fetch the courses'),
    }),
    updateCourseMembers: build.mutation({
      ...endpoint('updateLtiMembers', 'course'),
      invalidatesTags: ['LtiCourses'],
      ...failed('update the members'),
    }),
    courseScores: build.query({
      ...endpoint('listLtiScores', 'scores'),
      providesTags: ['LtiCourses'],
      ...failed('fetch the scores'),
    }),
    resendScore: build.mutation({
      ...endpoint('resendLtiScore', 'score'),
      invalidatesTags: ['LtiCourses'],
      ...failed('send the score'),
    }),
    chooseContent: build.mutation({ ...endpoint('chooseLtiContent', 'place'), ...failed('choose the assignment') }),
  }),
});

export const {
  useCoursesQuery,
  useUpdateCourseMembersMutation,
  useCourseScoresQuery,
  useResendScoreMutation,
  useChooseContentMutation,
} = coursesApi;
