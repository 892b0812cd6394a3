import { z } from 'zod';
import { email, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { AuditAction, AuditEvent, AuditOutcome } from './audit-event.ts';

/** An entry of the audit log, as admins see it. */
export const AuditEntry = AuditEvent.extend({
  /** Its place in the log: 1, 2, 3, … */
  place: z.number().int().positive(),
  /** The actor's email as it is now; null without an actor, and for a deleted user. */
  actorEmail: z.string().nullable(),
  /** The same of a user who is the target. */
  targetEmail: z.string().nullable(),
  /** The name of the group that it is about, as it is now; null where it is about none. */
  groupName: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** What of the log is shown. `person` is an email or an id: of the user who acted, or on whom. */
export const AuditFilter = z.object({
  action: AuditAction.optional(),
  outcome: AuditOutcome.optional(),
  /** Whether sign-ins and sign-outs are left out. */
  hidesSignIns: z.boolean().optional(),
  person: email.optional(),
  from: timestamp.optional(),
  to: timestamp.optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

const auth = routesOf('auth');

/** The routes of the audit log, which auth keeps for all services. A filter may have an email, so it is in the body. */
export const auditRoutes = {
  searchAuditEntries: auth.post('/api/audit/search', 'admin', {
    summary: 'The audit log, newest first',
    description:
      'Who did what, on whom, from which address, and with which outcome. `before` continues after a page: it is the `next` of the page before.',
    body: AuditFilter.extend({
      limit: z.int().min(1).max(200).default(50),
      before: z.int().positive().optional(),
    }),
    result: z.object({ entries: z.array(AuditEntry), next: z.number().int().nullable() }),
  }),
  exportAuditEntries: auth.post('/api/audit/entries.csv', 'admin', {
    summary: 'The audit log as CSV',
    description:
      'The entries of a filter, newest first, a line each. It is streamed as it is read. Needs a fresh sign-in.',
    body: AuditFilter,
    streams: ['text/csv'],
    audit: { action: 'audit.export' },
  }),
};
