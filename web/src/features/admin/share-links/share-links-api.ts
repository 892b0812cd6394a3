import type { ListedShare } from '@interview-prep/contracts/shares';
import { api } from '../../../lib/api/base-api.ts';

/** The share links of all users. */
export interface ShareLinks {
  shares: ListedShare[];
  /** More than are listed. */
  total: number;
  /** Whether links work at all. */
  enabled: boolean;
}

const shareLinksApi = api.injectEndpoints({
  endpoints: (build) => ({
    shareLinks: build.query<ShareLinks, void>({
      query: () => '/api/shares',
      extraOptions: { fallback: 'Failed to load the share links' },
    }),
    revokeShareLink: build.mutation<null, string>({
      query: (id) => ({ url: `/api/shares/${encodeURIComponent(id)}`, method: 'DELETE' }),
      extraOptions: { fallback: 'Failed to revoke the link' },
    }),
    revokeAllShareLinks: build.mutation<null, void>({
      query: () => ({ url: '/api/shares', method: 'DELETE' }),
      extraOptions: { fallback: 'Failed to revoke the links' },
    }),
  }),
});

export const { useShareLinksQuery, useRevokeShareLinkMutation, useRevokeAllShareLinksMutation } = shareLinksApi;
