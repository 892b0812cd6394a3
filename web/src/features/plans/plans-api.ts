import { api } from '../../lib/api/base-api.ts';
import { endpoint } from '../../lib/api/route-request.ts';
import { fallbacks } from '../../lib/messages.ts';

const plansApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Records the plan on the user. No money moves. */
    subscribe: build.mutation({
      ...endpoint('subscribe', 'user'),
      invalidatesTags: ['Me', 'Users'],
      extraOptions: { fallback: fallbacks.updateUser },
    }),
  }),
});

export const { useSubscribeMutation } = plansApi;
