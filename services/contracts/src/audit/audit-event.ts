import { z } from 'zod';
import { timestamp } from '../api/fields.ts';

/** The audit log's actions by kind of target. To add an action, add a line here. */
export const AuditAction = z.enum([
  'access',
  'access.remove',
  'account.delete',
  'answer.delete',
  'api-key.create',
  'api-key.revoke',
  'assignment.create',
  'assignment.delete',
  'assignment.extend',
  'assignment.release',
  'assignment.remind',
  'assignment.update',
  'audit.export',
  'calendar.create',
  'calendar.delete',
  'data.export',
  'factor.change',
  'factor.remove',
  'factor.reset',
  'group.code',
  'group.create',
  'group.invite',
  'group.join',
  'group.message',
  'group.person',
  'group.update',
  'identity.link',
  'identity.unlink',
  'judge.calibrate',
  'lti-platform.create',
  'lti-platform.delete',
  'lti-platform.update',
  'lti.choose',
  'lti.launch',
  'lti.members',
  'lti.score',
  'password.change',
  'password.reset',
  'password.reset-mail',
  'queue.give-up',
  'queue.retry',
  'recording.feedback',
  'recording.reprocess',
  'recording.review',
  'session.delete',
  'session.share',
  'session.unshare',
  'set.create',
  'set.delete',
  'set.update',
  'sign-in',
  'sign-in.end',
  'sign-in.google',
  'sign-in.lti',
  'sign-in.oidc',
  'sign-in.passkey',
  'sign-in.second-factor',
  'sign-in.step-up',
  'sign-out',
  'signing-key.rotate',
  'technology.create',
  'technology.delete',
  'technology.update',
  'user.create',
  'user.delete',
  'user.email',
  'user.import',
  'user.role',
  'user.suspend',
  'user.update',
  'webhook.create',
  'webhook.delete',
  'webhook.redeliver',
]);
export type AuditAction = z.infer<typeof AuditAction>;

/** `denied`: not authorized or not authenticated. `interrupted`: the process exited midway; the action may or may not have happened. */
export const AuditOutcome = z.enum(['success', 'failed', 'denied', 'interrupted']);
export type AuditOutcome = z.infer<typeof AuditOutcome>;

/** Kinds of audit targets; written with an id, as in `user:66f0…`. */
export type AuditTargetKind =
  | 'user'
  | 'api-key'
  | 'webhook'
  | 'lti-platform'
  | 'lti-course'
  | 'group'
  | 'assignment'
  | 'set'
  | 'technology'
  | 'recording'
  | 'session'
  | 'sign-in'
  | 'signing-key';

/**
 * One event of the audit log. People are identified only by id, never by email, so that events can outlive a deleted account.
 * It contains no secrets (passwords, tokens, keys); of user input, only set titles and technology names.
 */
export const AuditEvent = z.object({
  id: z.uuid(),
  at: timestamp,
  service: z.string(),
  action: AuditAction,
  outcome: AuditOutcome,
  /** The acting user's id; null for visitors, unknown emails and the product itself. */
  actor: z.string().nullable(),
  /** The client's address; null for the product itself. */
  address: z.string().nullable(),
  /** `kind:id`; null without a target. */
  target: z.string().nullable(),
  requestId: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string().max(200), z.number(), z.boolean()])),
});
export type AuditEvent = z.infer<typeof AuditEvent>;
