import { api } from './base-api.ts';

const dataExportApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The address of a download that the browser streams to a file; it works for a minute. */
    requestDataExport: build.mutation<string, { userId?: string }>({
      query: (body) => ({ url: '/api/recordings/export', method: 'POST', body }),
      transformResponse: ({ url }: { url: string }) => url,
      extraOptions: { fallback: 'Failed to prepare the download' },
    }),
  }),
});

export const { useRequestDataExportMutation } = dataExportApi;
