import { z } from 'zod';

/** Who may call a route: the first gate. Finer rules (owner, own id) are the handler's. */
export type Access = 'anyone' | 'signed-in' | 'admin';

/** The processes that own routes. */
export type ServiceName = 'auth' | 'catalog' | 'recording' | 'history' | 'gateway';

/** One call of the public API: what is checked on the way in, what goes out, and which statuses it may end in. */
export interface Route<Params = unknown, Query = unknown, Body = unknown, Result = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Express form, from the root: `/api/technologies/:id`. */
  readonly path: string;
  readonly service: ServiceName;
  readonly access: Access;
  readonly summary: string;
  readonly params: z.ZodType<Params>;
  readonly query: z.ZodType<Query>;
  readonly body: z.ZodType<Body>;
  /** Status of success. */
  readonly status: 200 | 201 | 202 | 204;
  /** What success answers; `null` for an empty answer and for streams. */
  readonly result: z.ZodType<Result> | null;
  /** How the request's body comes. `json` unless told. */
  readonly accepts: 'json' | 'multipart' | 'nothing';
  /** Media type of a streamed answer, where it is not JSON. */
  readonly streams?: string;
  /** Error statuses beyond those that the gates imply (400 for input, 401 and 403 for access). */
  readonly errorStatuses: readonly number[];
}

const nothing = z.object({});

/** Declares a route; what is left out takes its default. */
export function defineRoute<
  Params = Record<string, never>,
  Query = Record<string, never>,
  Body = Record<string, never>,
  Result = null,
>(
  route: Pick<Route, 'method' | 'path' | 'service' | 'access' | 'summary'> & {
    params?: z.ZodType<Params>;
    query?: z.ZodType<Query>;
    body?: z.ZodType<Body>;
    status?: Route['status'];
    result?: z.ZodType<Result>;
    accepts?: Route['accepts'];
    streams?: string;
    errorStatuses?: readonly number[];
  },
): Route<Params, Query, Body, Result> {
  return {
    status: route.result || route.streams ? 200 : 204,
    accepts: route.body ? 'json' : 'nothing',
    errorStatuses: [],
    ...route,
    params: route.params ?? (nothing as unknown as z.ZodType<Params>),
    query: route.query ?? (nothing as unknown as z.ZodType<Query>),
    body: route.body ?? (nothing as unknown as z.ZodType<Body>),
    result: route.result ?? null,
  };
}
