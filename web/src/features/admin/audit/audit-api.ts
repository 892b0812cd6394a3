import type { AuditEntry, AuditFilter } from '@interview-prep/contracts/audit';
import { api } from '../../../lib/api/base-api.ts';
import { fallbacks } from '../../../lib/messages.ts';

/** A page of the log; `next` continues after it. */
export interface AuditPage {
  entries: AuditEntry[];
  next: number | null;
}

/** Entries of a page. */
const pageSize = 50;

const auditApi = api.injectEndpoints({
  endpoints: (build) => ({
    auditEntries: build.infiniteQuery<AuditPage, AuditFilter, number | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ next }) => next },
      query: ({ queryArg, pageParam }) => ({
        url: '/api/audit/search',
        method: 'POST',
        body: { ...queryArg, limit: pageSize, ...(pageParam === null ? {} : { before: pageParam }) },
      }),
      // The log grows with every request: what was read before is no answer.
      keepUnusedDataFor: 0,
      extraOptions: { fallback: fallbacks.fetchAudit },
    }),
    exportAudit: build.mutation<string, AuditFilter>({
      query: (filter) => ({
        url: '/api/audit/entries.csv',
        method: 'POST',
        body: filter,
        // A refusal is JSON: it may ask for a fresh sign-in.
        responseHandler: (response) => (response.ok ? response.text() : response.json()),
      }),
      extraOptions: { fallback: fallbacks.exportAudit },
    }),
  }),
});

export const { useAuditEntriesInfiniteQuery, useExportAuditMutation } = auditApi;
