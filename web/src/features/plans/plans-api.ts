import type { PlanId } from '@interview-prep/contracts/plans';
import type { User } from '@interview-prep/contracts/users';
import { api } from '../../lib/api/base-api.ts';
import { fallbacks } from '../../lib/messages.ts';

const plansApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Sets the user's own technologies, as slugs. */
    chooseTechnologies: build.mutation<User, { userId: string; technologies: readonly string[] }>({
      query: ({ userId, technologies }) => ({ url: `/api/users/${userId}`, method: 'PUT', body: { technologies } }),
      transformResponse: ({ user }: { user: User }) => user,
      invalidatesTags: ['Me', 'Users'],
      extraOptions: { fallback: fallbacks.updateUser },
    }),
    /** Records the plan on the user. No money moves. */
    subscribe: build.mutation<User, { plan: PlanId }>({
      query: (body) => ({ url: '/api/auth/subscribe', method: 'POST', body }),
      transformResponse: ({ user }: { user: User }) => user,
      invalidatesTags: ['Me', 'Users'],
      extraOptions: { fallback: fallbacks.updateUser },
    }),
  }),
});

export const { useChooseTechnologiesMutation, useSubscribeMutation } = plansApi;
