import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AuditEntry, type AuditFilter, auditRoutes } from '@interview-prep/contracts/audit/audit';
import type { ChainedEntry } from '@interview-prep/kit/audit/audit-chain';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Auth } from '../auth.ts';
import { entryFilter, presentEntries } from './find-entries.ts';

const columns = [
  'place',
  'at',
  'service',
  'action',
  'outcome',
  'actor',
  'actorEmail',
  'address',
  'target',
  'targetEmail',
  'requestId',
  'details',
  'id',
] as const satisfies (keyof AuditEntry)[];

/** A cell in quotes. A spreadsheet would run what begins with one of these signs as a formula. */
function cell(value: unknown): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

/** The first line, with the names of the columns. Source: RFC 4180. */
const csvHead = `${columns.join(',')}\r\n`;

/** An entry as a line. */
function csvLine(entry: AuditEntry): string {
  return `${columns.map((column) => cell(entry[column])).join(',')}\r\n`;
}

/** Entries that the CSV file reads at once. */
const batchSize = 500;

/** Serves the audit log to admins. */
export function serveAudit(
  server: RouteServer,
  { auditLog: { entries }, users, requireFreshSignIn }: Pick<Auth, 'auditLog' | 'users' | 'requireFreshSignIn'>,
): void {
  /** @param before only entries before this place */
  const readPage = async (filter: AuditFilter, limit: number, before?: number) => {
    const where = await entryFilter(filter, users, before);
    if (where === null) return { entries: [], next: null };
    // One more than asked for: if it is found, there is a next page.
    const found = await entries
      .find(where)
      .sort({ _id: -1 })
      .limit(limit + 1)
      .lean<ChainedEntry[]>();
    const page = await presentEntries(found.slice(0, limit), users);
    return { entries: page, next: found.length > limit ? (page.at(-1)?.place ?? null) : null };
  };

  server.serve(auditRoutes.searchAuditEntries, async ({ body: { limit, before, ...filter } }) =>
    readPage(filter, limit, before),
  );

  server.serve(auditRoutes.exportAuditEntries, async ({ body, user, req, res }) => {
    // Addresses and times of everyone.
    requireFreshSignIn(user);
    async function* lines() {
      yield csvHead;
      let next: number | null | undefined;
      while (next !== null) {
        const page = await readPage(body, batchSize, next);
        yield page.entries.map(csvLine).join('');
        next = page.next;
      }
    }
    res.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="audit-log-${new Date().toISOString().slice(0, 10)}.csv"`,
      'Cache-Control': 'no-store',
    });
    await pipeline(Readable.from(lines()), res).catch((error: unknown) =>
      req.log.warn({ err: error }, 'an export of the audit log was aborted'),
    );
    return null;
  });
}
