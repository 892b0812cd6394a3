import { z } from 'zod';
import type { AuditAction, AuditTargetKind } from '../audit/audit-event.ts';
import type { ApiScope } from './scopes.ts';

/** Who may call a route. The handler checks finer rules: owner, own id. */
export type Access = 'anyone' | 'signed-in' | 'admin';

/** The processes that serve API routes. */
export type ServiceName = 'auth' | 'catalog' | 'recording' | 'history' | 'gateway';

/** One operation of the public API: input, result and status codes. */
export interface Route<Params = unknown, Query = unknown, Body = unknown, Result = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Express path, from the root: `/api/technologies/:id`. */
  readonly path: string;
  readonly service: ServiceName;
  readonly access: Access;
  /** API key scopes that grant access; keys without one of them get a 403. Empty: no key has access. */
  readonly scopes: readonly ApiScope[];
  /** A one-line summary for the API docs. */
  readonly summary: string;
  /** Anything a client needs to know beyond the summary. */
  readonly description: string;
  readonly params: z.ZodType<Params>;
  readonly query: z.ZodType<Query>;
  readonly body: z.ZodType<Body>;
  /** Success status. */
  readonly status: 200 | 201 | 202 | 204;
  /** Success body; `null` for empty bodies and streams. */
  readonly result: z.ZodType<Result> | null;
  /** Request format; `json` if the route has a body schema. `bytes`: part of an answer, with its digest; `form`: an HTML form post. */
  readonly accepts: 'json' | 'form' | 'multipart' | 'bytes' | 'nothing';
  /** Media types of a streamed response. */
  readonly streams?: readonly string[];
  /** Additional success statuses with the same body, with their meanings. */
  readonly otherStatuses: Readonly<Record<number, string>>;
  /** Additional statuses without a body, with their meanings. */
  readonly emptyStatuses: Readonly<Record<number, string>>;
  /** Error statuses in addition to those for input (400, for JSON 413 and 415), access (401, 403) and outages (502–504). */
  readonly errorStatuses: readonly number[];
  /** Whether edits support If-Match with a version (optimistic locking); a stale version gets a 409. */
  readonly versioned: boolean;
  /** Whether browsers may cache the response and revalidate it with If-None-Match. Other responses are never cached. */
  readonly revalidated: boolean;
  /** The audit action of each call, and the kind of object that the first path parameter identifies. */
  readonly audit?: { readonly action: AuditAction; readonly target?: AuditTargetKind } | undefined;
}

const nothing = z.object({});

/** Optional parts of a route declaration; each has a default. */
type RouteOptions<Params, Query, Body, Result> = Pick<Route, 'summary' | 'description'> &
  Partial<
    Pick<Route, 'status' | 'accepts' | 'streams' | 'otherStatuses' | 'emptyStatuses' | 'errorStatuses' | 'audit'> &
      Pick<Route, 'versioned' | 'revalidated' | 'scopes'> & {
        params: z.ZodType<Params>;
        query: z.ZodType<Query>;
        body: z.ZodType<Body>;
        result: z.ZodType<Result>;
      }
  >;

/** Declares the routes of a service: `auth.get('/api/groups', 'signed-in', { summary: … })`. */
export function routesOf(service: ServiceName) {
  const by =
    (method: Route['method']) =>
    <Params = Record<string, never>, Query = Record<string, never>, Body = Record<string, never>, Result = null>(
      path: string,
      access: Access,
      route: RouteOptions<Params, Query, Body, Result>,
    ): Route<Params, Query, Body, Result> => ({
      service,
      method,
      path,
      access,
      status: route.result || route.streams ? 200 : 204,
      accepts: route.body ? 'json' : 'nothing',
      otherStatuses: {},
      scopes: [],
      versioned: false,
      revalidated: false,
      ...route,
      emptyStatuses: { ...route.emptyStatuses, ...(route.revalidated ? { 304: 'Not modified since this ETag' } : {}) },
      errorStatuses: [...new Set([...(route.errorStatuses ?? []), ...(route.versioned ? [409] : [])])],
      params: route.params ?? (nothing as unknown as z.ZodType<Params>),
      query: route.query ?? (nothing as unknown as z.ZodType<Query>),
      body: route.body ?? (nothing as unknown as z.ZodType<Body>),
      result: route.result ?? null,
    });
  return { get: by('get'), post: by('post'), put: by('put'), delete: by('delete') };
}
