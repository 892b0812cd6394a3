import { api } from './base-api.ts';
import { endpoint } from './route-request.ts';

const uploadsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** A candidate's incomplete uploads. */
    listUploads: build.query({ ...endpoint('listUploads', 'uploads'), keepUnusedDataFor: 0 }),
  }),
});

export const { useListUploadsQuery, useLazyListUploadsQuery } = uploadsApi;
