import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';

const overviewApi = api.enhanceEndpoints({ addTagTypes: ['Appeals'] }).injectEndpoints({
  endpoints: (build) => ({
    overview: build.query({
      ...endpoint('overview'),
      providesTags: ['Appeals'],
      extraOptions: { fallback: 'Failed to load what needs attention' },
    }),
    reviewsWaiting: build.query({
      ...endpoint('reviewQueue', 'total'),
      providesTags: ['Appeals'],
      extraOptions: { fallback: 'Failed to load what needs attention' },
    }),
    newestUsers: build.query({
      ...endpoint('newestUsers'),
      providesTags: ['Users'],
      extraOptions: { fallback: 'Failed to fetch users' },
    }),
  }),
});

const everyMinute = { pollingInterval: 60_000, skipPollingIfUnfocused: true };

/** An admin's pending work, polled every minute while the window is in use. */
export function useOverview(skip = false) {
  return overviewApi.useOverviewQuery(undefined, { ...everyMinute, skip }).data;
}

/** The number of answers waiting for a coach's review, polled every minute while the window is in use. */
export function useReviewsWaiting(skip: boolean) {
  return overviewApi.useReviewsWaitingQuery({ state: 'waiting', page: 1, limit: 1 }, { ...everyMinute, skip }).data;
}

export const { useNewestUsersQuery } = overviewApi;
