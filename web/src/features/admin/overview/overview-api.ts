import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';

const overviewApi = api.enhanceEndpoints({ addTagTypes: ['Appeals'] }).injectEndpoints({
  endpoints: (build) => ({
    overview: build.query({
      ...endpoint('overview'),
      providesTags: ['Appeals'],
      extraOptions: { fallback: 'Failed to load what waits for you' },
    }),
    newestUsers: build.query({
      ...endpoint('newestUsers'),
      providesTags: ['Users'],
      extraOptions: { fallback: 'Failed to fetch users' },
    }),
  }),
});

/** What waits for an admin, asked again every minute while the window is in use. */
export function useOverview() {
  return overviewApi.useOverviewQuery(undefined, { pollingInterval: 60_000, skipPollingIfUnfocused: true }).data;
}

export const { useNewestUsersQuery } = overviewApi;
