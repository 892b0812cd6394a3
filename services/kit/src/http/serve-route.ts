import { createHash } from 'node:crypto';
import { limits } from '@interview-prep/contracts/api/limits';
import type { Route } from '@interview-prep/contracts/api/route';
import { unattendedHeader } from '@interview-prep/contracts/api/unattended-header';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import express from 'express';
import type { z } from 'zod';
import { auditFailure, beginAudit, endAudit } from '../audit/audit-request.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Logger } from '../process/logger.ts';
import { createEventFlood } from '../redis/event-flood.ts';
import type { TokenVerifier } from '../tokens/access-tokens.ts';
import { errorResponse } from './error-response.ts';
import { forbidden, unauthorized, unsupportedMedia } from './http-error.ts';
import { hasBody, requestDeadline, requestDeadlineMs, sendInterimResponses } from './request-deadline.ts';

/** Statuses of invalid input and of conflicts. Other refusals are in the audit log. */
const refusedInput = new Set([400, 409, 413, 415, 416, 422]);

const mostFields = 10;

/** A field's path, safe to log: parts of it may come from the sender. */
const printable = (path: string) => path.replace(/[^\w.-]/g, '?').slice(0, 60);

/** A handler's argument: the parsed input, and the user's claims (undefined on routes open to anyone). */
interface Call<Params, Query, Body, User> {
  params: Params;
  query: Query;
  body: Body;
  user: User;
  req: Request;
  res: Response;
}

type Handler<Params, Query, Body, Result, User> = (call: Call<Params, Query, Body, User>) => Promise<Result>;

/**
 * The largest JSON body by access, since the time to parse a hostile one grows with its size. Admins send sets with 100 long
 * answers, each twice; other users send a transcript.
 */
const jsonLimits = { anyone: '256kb', 'signed-in': '1mb', admin: '4mb' } as const;

/** Serves declared routes on an app. A request passes these gates: deadline, token, role, `before`, body, input. */
export interface RouteServer {
  /** A route for signed-in users or admins. */
  serve<Params, Query, Body, Result>(
    route: Route<Params, Query, Body, Result>,
    handler: Handler<Params, Query, Body, Result, TokenClaims>,
    ...before: RequestHandler[]
  ): void;
  /** A route that is open to anyone. */
  serveAnyone<Params, Query, Body, Result>(
    route: Route<Params, Query, Body, Result>,
    handler: Handler<Params, Query, Body, Result, undefined>,
    ...before: RequestHandler[]
  ): void;
  /** The routes served so far, for tests that compare them with contracts' table. */
  readonly served: readonly Route[];
}

/**
 * Serves routes on `app`. The route's result schema parses the handler's result, so only declared fields leave the service.
 * Handlers read multipart bodies themselves; raw bytes are in `req.body`, a Buffer. A handler may send a stream itself, or set
 * another status with `res.status`.
 * @param options `deadlineMs`: a request gets a 503 after this time; an upload gets one more second per megabyte. `audit`
 * records calls to audited routes, and every refusal
 */
export function createRouteServer(
  app: Express,
  verify: TokenVerifier,
  { deadlineMs = requestDeadlineMs, audit }: { deadlineMs?: number; audit?: AuditTrail | undefined } = {},
): RouteServer {
  const served: Route[] = [];
  const logRefusedInput = createRefusedInputLog();

  const add = (route: Route, handler: Handler<unknown, unknown, unknown, unknown, never>, before: RequestHandler[]) => {
    const isUpload = route.accepts === 'multipart';
    const gates: RequestHandler[] = [requestDeadline(deadlineMs, isUpload)];
    if (isUpload) gates.push(sendInterimResponses);
    if (route.access !== 'anyone') gates.push(requireToken(verify, route.scopes));
    if (route.access === 'admin') gates.push(requireAdmin);
    gates.push(...before);
    if (route.accepts === 'json') gates.push(express.json({ limit: jsonLimits[route.access] }));
    if (route.accepts === 'form') gates.push(express.urlencoded({ extended: false, limit: jsonLimits[route.access] }));
    if (route.accepts === 'bytes') gates.push(express.raw({ limit: limits.partMaxBytes }), requireBytes);

    const respond = async (req: Request, res: Response) => {
      // The deadline passed while a gate was running, and has already responded.
      if (res.headersSent) return;
      // Responses are private. A stream sets its own caching.
      if (!route.streams) res.setHeader('Cache-Control', 'no-store');
      const params = route.params.parse(req.params);
      const query = route.query.parse(req.query);
      const isParsed = route.accepts === 'json' || route.accepts === 'form';
      const body = isParsed ? route.body.parse(parsedBody(req, route)) : undefined;
      await beginAudit(audit, route, req, res);
      const result = await handler({ params, query, body, user: res.locals.user as never, req, res });
      await endAudit(res);
      if (res.headersSent || route.streams) return;
      // 200 is Express's default; the handler set anything else.
      if (res.statusCode === 200) res.status(route.status);
      if (!route.result) {
        res.end();
        return;
      }
      const json = JSON.stringify(declaredResult(route, route.result.safeParse(result)));
      if (route.revalidated)
        res.set({ 'Cache-Control': 'private, no-cache', ETag: etagOf(json), Vary: 'Authorization' });
      // Express itself responds with 304 if the ETag matches If-None-Match.
      res.type('json').send(json);
    };
    const audited = audit ? [auditFailure(audit, route)] : [];
    app[route.method](route.path, ...gates, respond, ...audited, logRefusedInput(route));
    served.push(route);
  };

  // The cast is safe: `add` keeps routes of all types in one list, and each route's own schemas parse its handler's input.
  return {
    serve: (route, handler, ...before) => add(route as Route, handler as never, before),
    serveAnyone: (route, handler, ...before) => add(route as Route, handler as never, before),
    served,
  };
}

/** Weak: a proxy may compress the body. */
const etagOf = (json: string) => `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`;

/** A result that does not match its schema is the service's fault, not the client's. */
function declaredResult<Result>(route: Route, parsed: z.ZodSafeParseResult<Result>): Result {
  if (parsed.success) return parsed.data;
  throw new Error(`${route.method} ${route.path} returned an undeclared result`, { cause: parsed.error });
}

/** The parsed body, `{}` if there is none. @throws HttpError 415 for a body in another format, which the parser skips */
function parsedBody(req: Request, { accepts }: Route): unknown {
  const wanted = accepts === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  if (req.body === undefined && hasBody(req)) throw unsupportedMedia(`The request body must be ${wanted}`);
  return req.body ?? {};
}

const requireBytes: RequestHandler = (req, _res, next) => {
  if (!Buffer.isBuffer(req.body)) throw unsupportedMedia('The request body must be application/octet-stream');
  next();
};

/** The token of `Authorization: Bearer …`; undefined if there is none. */
function bearerToken(req: Request): string | undefined {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(req.headers.authorization ?? '')?.[1];
}

const requireToken =
  (verify: TokenVerifier, scopes: Route['scopes']): RequestHandler =>
  async (req, res, next) => {
    const token = bearerToken(req);
    if (token === undefined) throw unauthorized();
    // Requests of an unattended page don't count as activity, so they don't extend the sign-in.
    const isUse = req.headers[unattendedHeader] === undefined;
    res.locals.user = await verify(token, isUse, scopes);
    next();
  };

const requireAdmin: RequestHandler = (_req, res, next) => {
  if ((res.locals.user as TokenClaims).role !== 'admin') throw forbidden();
  next();
};

/**
 * Logs each request with invalid input: the sender, the route and the names of the invalid fields, never their content. Logs
 * at most 60 a minute per address; the next line has the number of those left out.
 * Source: ASVS 5.0.0, 16.3.3.
 */
function createRefusedInputLog(): (route: Route) => ErrorRequestHandler {
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
      // Don't use the request's own logger: its lines include the URL, whose query is input too.
      (req.app.locals.log as Logger | undefined)?.info(facts, 'refused the input of a request');
    }
    next(error);
  };
}
