import type { AuditEntry } from '@interview-prep/contracts/audit/audit';
import type { AuditAction, AuditOutcome } from '@interview-prep/contracts/audit/audit-event';
import { Role } from '@interview-prep/contracts/auth/users';
import { roleName } from '../../../lib/formats.ts';
import { paths } from '../../../lib/paths.ts';

/** The action in words. Unknown actions, from a newer release, are shown by name. */
const actionWords: Readonly<Record<AuditAction, string>> = {
  access: 'Access refused',
  'access.remove': 'Other access removed after a reset',
  'account.delete': 'Own account deleted',
  'answer.delete': 'Answer deleted',
  'api-key.create': 'API key created',
  'api-key.revoke': 'API key revoked',
  'assignment.create': 'Work assigned',
  'assignment.delete': 'Assignment deleted',
  'assignment.extend': 'Due date extended',
  'assignment.release': 'Feedback released',
  'assignment.remind': 'Members reminded',
  'assignment.update': 'Assignment changed',
  'audit.export': 'Audit log exported',
  'calendar.create': 'Calendar address created',
  'calendar.delete': 'Calendar address removed',
  'data.export': 'Data downloaded',
  'factor.change': 'Second factor set up',
  'factor.remove': 'Second factor removed',
  'factor.reset': 'Second factor removed by an admin',
  'group.code': 'Join code of a group changed',
  'group.create': 'Group created',
  'group.invite': 'People invited to a group',
  'group.join': 'Group joined',
  'group.message': 'Mail to a group',
  'group.person': 'Person in a group changed',
  'group.update': 'Group changed',
  'identity.link': 'Provider account linked',
  'identity.unlink': 'Provider account unlinked',
  'judge.calibrate': 'Judge calibrated',
  'lti-platform.create': 'Learning platform added',
  'lti-platform.delete': 'Learning platform deleted',
  'lti-platform.update': 'Learning platform changed',
  'lti.choose': 'Assignment chosen for a course',
  'lti.launch': 'Launch from a learning platform',
  'lti.members': 'Members updated from a course',
  'lti.score': 'Score sent to a course again',
  'password.change': 'Password changed',
  'password.reset': 'Password reset',
  'password.reset-mail': 'Reset mail requested',
  'queue.give-up': 'Answers given up',
  'queue.retry': 'Answers tried again',
  'recording.feedback': 'Guest feedback given',
  'recording.reprocess': 'Recording processed again',
  'recording.review': 'Verdict given',
  'session.delete': 'Session deleted',
  'session.share': 'Session shared',
  'session.unshare': 'Share link revoked',
  'set.create': 'Set created',
  'set.delete': 'Set deleted',
  'set.update': 'Set changed',
  'sign-in': 'Sign-in',
  'sign-in.end': 'Sign-in ended',
  'sign-in.google': 'Sign-in with Google',
  'sign-in.lti': 'Sign-in from a learning platform',
  'sign-in.oidc': 'Sign-in with an OpenID provider',
  'sign-in.passkey': 'Sign-in with a passkey',
  'sign-in.second-factor': 'Second factor',
  'sign-in.step-up': 'Sign-in confirmed',
  'sign-out': 'Sign-out',
  'signing-key.rotate': 'Signing key changed',
  'technology.create': 'Technology created',
  'technology.delete': 'Technology deleted',
  'technology.update': 'Technology renamed',
  'user.create': 'User created',
  'user.delete': 'User deleted',
  'user.email': 'Email changed',
  'user.import': 'Users imported',
  'user.role': 'Role changed',
  'user.suspend': 'Suspension changed',
  'user.update': 'User changed',
  'webhook.create': 'Webhook created',
  'webhook.delete': 'Webhook deleted',
  'webhook.redeliver': 'Message of a webhook sent again',
};

export function actionLabel(action: AuditAction): string {
  return actionWords[action] ?? action;
}

export const outcomeLabels: Readonly<Record<AuditOutcome, string>> = {
  success: 'Success',
  failed: 'Failed',
  denied: 'Denied',
  interrupted: 'Interrupted',
};

/** The last characters of an id, enough to tell two apart. A word joiner keeps it on one line. */
const shortId = (id: string) => `…\u2060${id.slice(-6)}`;

export function actorLabel({ actor, actorEmail, address }: AuditEntry): string {
  if (actor !== null) return actorEmail ?? `Deleted user ${shortId(actor)}`;
  return address === null ? 'System' : 'Visitor';
}

/** The target of the event; null if it is the actor, or there is none. */
export function targetLabel({ actor, target, targetEmail, groupName, details }: AuditEntry): string | null {
  if (target === null || target === `user:${actor}`) return null;
  const [kind = '', id = ''] = target.split(':');
  if (kind === 'group' && groupName !== null) return `group “${groupName}”`;
  if (kind === 'user') return targetEmail ?? `deleted user ${shortId(id)}`;
  return `${kind === 'set' && details.kind ? `${details.kind} set` : kind} ${shortId(id)}`;
}

/** The reason for a failure or rejection, in words. Unknown codes are shown as they are. */
const reasonWords: Readonly<Record<string, string>> = {
  conflict: 'not possible at the moment',
  edit_conflict: 'changed by someone else in the meantime',
  forbidden: 'not allowed',
  internal: 'an error of the product',
  invalid_request: 'not valid',
  not_configured: 'not set up',
  not_found: 'not found',
  passkey_required: 'the passkey is missing',
  step_up_required: 'not confirmed by a fresh sign-in',
  suspended: 'the account is suspended',
  too_large: 'too large',
  too_many_requests: 'too many attempts',
  unauthorized: 'not identified',
  unavailable: 'a part of the product was down',
};

function detailWords(name: string, value: string | number | boolean): string {
  if (name === 'reason') return reasonWords[String(value)] ?? String(value);
  if (name === 'call') return String(value);
  // 'timeLimitSeconds' → 'time limit seconds'
  return `${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${wordOf(value)}`;
}

function wordOf(value: string | number | boolean): string {
  const role = Role.safeParse(value);
  return role.success ? roleName(role.data) : String(value);
}

/** The details as text: `not allowed, GET /api/users`; for a change, the old and new value: `Candidate → Admin`. */
export function detailText({ target, groupName, details }: AuditEntry): string {
  const { from, to, kind: _kind, session: _session, group, ...others } = details;
  const change = from === undefined || to === undefined ? [] : [`${wordOf(from) || 'none'} → ${wordOf(to) || 'none'}`];
  const inGroup =
    group === undefined || target?.startsWith('group:') ? [] : [`group ${groupName ?? shortId(String(group))}`];
  return [...change, ...inGroup, ...Object.entries(others).map(([name, value]) => detailWords(name, value))].join(', ');
}

/** The page of an event's target; null if it has none, or is gone. */
export function targetPath({ action, target, targetEmail, details }: AuditEntry): string | null {
  const [kind, id = ''] = target?.split(':') ?? [];
  if (kind === 'user') return targetEmail === null ? null : `${paths.users}#q=${encodeURIComponent(targetEmail)}`;
  if (kind === 'group') return paths.group(id);
  if (kind === 'technology') return paths.technologies;
  if (action.endsWith('.delete')) return null;
  if (kind === 'set' && details.kind) return details.kind === 'practice' ? paths.practiceAdmin : paths.editSet(id);
  const session = kind === 'recording' ? String(details.session) : id;
  return ['session', 'recording'].includes(kind ?? '') && /^[0-9a-f]{24}$/.test(session)
    ? paths.interviewDetail(session)
    : null;
}

/** The first characters of a request id, enough to find its log lines. */
export function requestLabel(requestId: string): string {
  return `request ${requestId.slice(0, 8)}`;
}
