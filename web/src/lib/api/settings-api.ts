import type { PublicSettings } from '@interview-prep/contracts/operations';
import { api } from './base-api.ts';

const settingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** What the web app must know before anyone signs in; the same for the whole visit. */
    getSettings: build.query<PublicSettings, void>({
      query: () => '/api/settings',
      keepUnusedDataFor: 3600,
      extraOptions: { anonymous: true },
    }),
  }),
});

export const { useGetSettingsQuery } = settingsApi;
