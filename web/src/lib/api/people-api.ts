import { fallbacks } from '../messages.ts';
import { api } from './base-api.ts';
import { endpoint } from './route-request.ts';

export const { useImportUsersMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    importUsers: build.mutation({
      ...endpoint('importUsers', 'users'),
      extraOptions: { fallback: fallbacks.importUsers },
    }),
  }),
});
