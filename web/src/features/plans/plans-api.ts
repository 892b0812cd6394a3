import { api } from '../../lib/api/base-api.ts';
import { endpoint } from '../../lib/api/route-request.ts';
import { fallbacks } from '../../lib/messages.ts';

const updatesUser = { invalidatesTags: ['Me', 'Users'], extraOptions: { fallback: fallbacks.updateUser } } as const;

const plansApi = api.injectEndpoints({
  endpoints: (build) => ({
    chooseTechnologies: build.mutation({ ...endpoint('updateUser', 'user'), ...updatesUser }),
    /** Records the plan on the user. No money moves. */
    subscribe: build.mutation({ ...endpoint('subscribe', 'user'), ...updatesUser }),
  }),
});

export const { useChooseTechnologiesMutation, useSubscribeMutation } = plansApi;
