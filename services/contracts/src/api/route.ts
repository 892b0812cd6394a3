import { z } from 'zod';
import type { AuditAction, AuditTargetKind } from '../audit/audit-event.ts';
import type { ApiScope } from './scopes.ts';

/** Who may call a route. The handler checks finer rules: owner, own id. */
export type Access = 'anyone' | 'signed-in' | 'admin';

/** The processes that serve routes. */
export type ServiceName = 'auth' | 'catalog' | 'recording' | 'history' | 'gateway';

/** One call of the public API: its input, its result and its statuses. */
export interface Route<Params = unknown, Query = unknown, Body = unknown, Result = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Express form, from the root: `/api/technologies/:id`. */
  readonly path: string;
  readonly service: ServiceName;
  readonly access: Access;
  /** The scopes of API keys that may call it; others, and without it all keys, get a 403. */
  readonly scopes: readonly ApiScope[];
  /** A line for the list of calls. */
  readonly summary: string;
  /** What a client must know beyond the summary. */
  readonly description: string;
  readonly params: z.ZodType<Params>;
  readonly query: z.ZodType<Query>;
  readonly body: z.ZodType<Body>;
  /** Status of success. */
  readonly status: 200 | 201 | 202 | 204;
  /** The body of a success; `null` for an empty body and for streams. */
  readonly result: z.ZodType<Result> | null;
  /** The format of the request's body; `json` if the route has a body schema. `bytes`: a part of an answer, with its digest; `form`: what a page's form posts. */
  readonly accepts: 'json' | 'form' | 'multipart' | 'bytes' | 'nothing';
  /** The media types of a streamed response. */
  readonly streams?: readonly string[];
  /** Further statuses of success with the same body, and what each means. */
  readonly otherStatuses: Readonly<Record<number, string>>;
  /** Further statuses without a body, and what each means. */
  readonly emptyStatuses: Readonly<Record<number, string>>;
  /** Error statuses in addition to those of input (400, for JSON 413 and 415), access (401, 403) and outages (502–504). */
  readonly errorStatuses: readonly number[];
  /** Whether If-Match may name the version that was edited: the answer is 409 where it is no longer the current one. */
  readonly versioned: boolean;
  /** Whether a browser may keep the answer, and asks with If-None-Match whether it has changed. Others are never kept. */
  readonly revalidated: boolean;
  /** The action that each call leaves in the audit log, and what the first parameter of the path identifies. */
  readonly audit?: { readonly action: AuditAction; readonly target?: AuditTargetKind } | undefined;
}

const nothing = z.object({});

/** What a route may say beyond its address and who may call it. The rest has defaults. */
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

/** Declares the routes of a service: `auth.get('/api/groups', 'signed-in', { summary: … })`. What is left out has a default. */
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
      emptyStatuses: { ...route.emptyStatuses, ...(route.revalidated ? { 304: 'As it was with this ETag' } : {}) },
      errorStatuses: [...new Set([...(route.errorStatuses ?? []), ...(route.versioned ? [409] : [])])],
      params: route.params ?? (nothing as unknown as z.ZodType<Params>),
      query: route.query ?? (nothing as unknown as z.ZodType<Query>),
      body: route.body ?? (nothing as unknown as z.ZodType<Body>),
      result: route.result ?? null,
    });
  return { get: by('get'), post: by('post'), put: by('put'), delete: by('delete') };
}
