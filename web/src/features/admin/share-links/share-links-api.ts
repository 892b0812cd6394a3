import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';

/** The share links of all users. */
const shareLinksApi = api.injectEndpoints({
  endpoints: (build) => ({
    shareLinks: build.query({
      ...endpoint('listAllShares'),
      extraOptions: { fallback: 'Failed to load the share links' },
    }),
    revokeShareLink: build.mutation({
      ...endpoint('revokeShare'),
      extraOptions: { fallback: 'Failed to revoke the link' },
    }),
    revokeAllShareLinks: build.mutation({
      ...endpoint('revokeAllShares'),
      extraOptions: { fallback: 'Failed to revoke the links' },
    }),
  }),
});

export const { useShareLinksQuery, useRevokeShareLinkMutation, useRevokeAllShareLinksMutation } = shareLinksApi;
