import type { Route } from '@interview-prep/contracts/api/route';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { errorResponse } from '../http/error-response.ts';
import { ExpiredToken } from '../tokens/signed-token.ts';
import type { AuditFacts, AuditTrail, BegunEvent } from './audit-trail.ts';

/** Statuses of refusals: unauthorized, forbidden, rate-limited. */
const refusals = new Set([401, 403, 429]);

/** The API key that the request was made with. */
function keyOf(res: Response) {
  const user = res.locals.user as TokenClaims | undefined;
  return user?.scopes ? { apiKey: user.jti } : {};
}

function callerOf(req: Request, res: Response) {
  const user = res.locals.user as TokenClaims | undefined;
  return { actor: user?.sub ?? null, address: req.ip ?? null, requestId: String(req.id) };
}

/** The target that the path's first parameter identifies. In a refused request it may be anything. */
function targetOf({ audit }: Route, { params }: Request): string | null {
  const [id] = Object.values(params);
  return audit?.target && typeof id === 'string' && /^[\w-]{1,64}$/.test(id)
    ? `${audit.target}:${id.toLowerCase()}`
    : null;
}

const eventOf = (res: Response) => res.locals.auditEvent as BegunEvent | undefined;

/** Adds facts known only to its handler to the event of an audited request, as in `addToAudit(res, { actor: user.id })`. */
export function addToAudit(res: Response, facts: Partial<AuditFacts>): void {
  eventOf(res)?.add(facts);
}

/** Records an audited request before its handler runs. @throws MongoDB's error while it is down */
export async function beginAudit(
  trail: AuditTrail | undefined,
  route: Route,
  req: Request,
  res: Response,
): Promise<void> {
  if (!trail || !route.audit) return;
  const facts = { action: route.audit.action, target: targetOf(route, req), ...callerOf(req, res) };
  res.locals.auditEvent = await trail.begin(facts);
  addToAudit(res, { details: keyOf(res) });
}

/** Records that an audited request succeeded. */
export async function endAudit(res: Response): Promise<void> {
  await eventOf(res)?.end('success');
}

/**
 * Records a failed request. For routes that are not audited, only refusals are recorded, as `access`. A request with a missing
 * or expired token is not an event: every sign-in begins and ends with one.
 */
export function auditFailure(trail: AuditTrail, route: Route): ErrorRequestHandler {
  return async (error, req, res, next) => {
    const { status, body } = errorResponse(error);
    const outcome = refusals.has(status) ? 'denied' : 'failed';
    const begun = eventOf(res);
    if (begun) {
      begun.add({ details: { reason: body.code } });
      await begun.end(outcome);
    } else if (outcome === 'denied' && isRecorded(route, error, req)) {
      const details = {
        reason: body.code,
        ...keyOf(res),
        ...(route.audit ? {} : { call: `${req.method} ${route.path}` }),
      };
      const facts = { action: route.audit?.action ?? ('access' as const), target: targetOf(route, req) };
      await trail.record({ ...facts, outcome, ...callerOf(req, res), details });
    }
    next(error);
  };
}

function isRecorded({ audit, access }: Route, error: Error, req: Request): boolean {
  if (access === 'anyone') return audit !== undefined;
  return req.headers.authorization !== undefined && !(error.cause instanceof ExpiredToken);
}
