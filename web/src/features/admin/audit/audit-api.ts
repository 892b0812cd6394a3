import type { AuditFilter } from '@interview-prep/contracts/audit';
import { api } from '../../../lib/api/base-api.ts';
import { type RouteResult, routeRequest } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';

/** Entries of a page. */
const limit = 50;

const auditApi = api.injectEndpoints({
  endpoints: (build) => ({
    auditEntries: build.infiniteQuery<RouteResult<'searchAuditEntries'>, AuditFilter, number | undefined>({
      infiniteQueryOptions: { initialPageParam: undefined, getNextPageParam: ({ next }) => next ?? undefined },
      query: ({ queryArg, pageParam: before }) => routeRequest('searchAuditEntries', { ...queryArg, limit, before }),
      // The log grows with every request, so cached pages are stale.
      keepUnusedDataFor: 0,
      extraOptions: { fallback: fallbacks.fetchAudit },
    }),
    exportAudit: build.mutation<string, AuditFilter>({
      query: (filter) => ({
        ...routeRequest('exportAuditEntries', filter),
        // A refusal is JSON: it may ask for a recent sign-in.
        responseHandler: (response) => (response.ok ? response.text() : response.json()),
      }),
      extraOptions: { fallback: fallbacks.exportAudit },
    }),
  }),
});

export const { useAuditEntriesInfiniteQuery, useExportAuditMutation } = auditApi;
