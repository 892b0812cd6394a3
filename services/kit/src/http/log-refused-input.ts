import type { Route } from '@interview-prep/contracts/api/route';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from '../process/logger.ts';
import { createEventFlood } from '../redis/event-flood.ts';
import { errorResponse } from './error-response.ts';

/** Statuses of input that is refused, or that the state of things does not allow. Other refusals are in the audit log. */
const refusedInput = new Set([400, 409, 413, 415, 416, 422]);

const mostFields = 10;

/** A field's path. Parts of it may be a sender's own. */
const printable = (path: string) => path.replace(/[^\w.-]/g, '?').slice(0, 60);

/**
 * Logs each request whose input is refused: who sent it, to which call, and which fields were wrong, never their content. Of
 * one address 60 a minute are logged; the next line says how many were left out.
 * Source: ASVS 5.0.0, 16.3.3.
 */
export function createRefusedInputLog(): (route: Route) => ErrorRequestHandler {
  const flood = createEventFlood();
  return (route) => (error, req, res, next) => {
    const { status, body } = errorResponse(error);
    const suppressed = refusedInput.has(status) ? flood.pass(String(req.ip)) : null;
    if (suppressed !== null) {
      const user = res.locals.user as TokenClaims | undefined;
      const facts = {
        status,
        code: body.code,
        call: `${req.method} ${route.path}`,
        actor: user?.sub ?? null,
        address: req.ip ?? null,
        requestId: String(req.id),
        fields: (body.details ?? []).slice(0, mostFields).map(({ path }) => printable(path)),
        ...(suppressed > 0 ? { suppressed } : {}),
      };
      // Not the request's own log: its lines have the address, whose query is input too.
      (req.app.locals.log as Logger | undefined)?.info(facts, 'refused the input of a request');
    }
    next(error);
  };
}
