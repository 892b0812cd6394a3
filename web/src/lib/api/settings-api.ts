import type { PublicSettings } from '@interview-prep/contracts/operations';
import { api } from './base-api.ts';

const settingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Public settings, needed before sign-in; they do not change during a visit. */
    getSettings: build.query<PublicSettings, void>({
      query: () => '/api/settings',
      keepUnusedDataFor: 3600,
      extraOptions: { anonymous: true },
    }),
  }),
});

export const { useGetSettingsQuery } = settingsApi;
