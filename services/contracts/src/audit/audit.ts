import { z } from 'zod';
import { email, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { AuditAction, AuditEvent, AuditOutcome } from './audit-event.ts';

/** An audit log entry as admins see it. */
export const AuditEntry = AuditEvent.extend({
  /** Position in the log: 1, 2, 3, … */
  place: z.number().int().positive(),
  /** The actor's current email; null without an actor and for deleted users. */
  actorEmail: z.string().nullable(),
  /** The current email of a user who is the target. */
  targetEmail: z.string().nullable(),
  /** The current name of the group concerned; null if there is none. */
  groupName: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Filters the audit log. `person` is an email or an id, matched against actors and targets. */
export const AuditFilter = z.object({
  action: AuditAction.optional(),
  outcome: AuditOutcome.optional(),
  /** Whether to hide sign-ins and sign-outs. */
  hidesSignIns: z.boolean().optional(),
  person: email.optional(),
  from: timestamp.optional(),
  to: timestamp.optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

const auth = routesOf('auth');

/** Routes of the audit log, which auth keeps for all services. Filters may contain an email, so they go in the body. */
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
