import type { Route } from '@interview-prep/contracts/api/route';
import type { routes } from '@interview-prep/contracts/api/routes';
import type { z } from 'zod';

type Routes = typeof routes;
/** A route of the public API, by its name in contracts. */
export type RouteName = keyof Routes;

/** The schema of a route without this input has string keys without values. */
type Part<Input> = string extends keyof Input ? unknown : Input;
type Input<Name extends RouteName> =
  Routes[Name] extends Route<infer Params, infer Query, infer Body, unknown>
    ? Part<Params> & Part<Query> & Part<Body>
    : never;

/** A route's path parameters, query and body as one object; void without input. */
// biome-ignore lint/suspicious/noConfusingVoidType: RTK Query makes an argument optional if its type is void
export type RouteInput<Name extends RouteName> = unknown extends Input<Name> ? void : Input<Name>;
/** The response body of a route; null if it has none. */
export type RouteResult<Name extends RouteName> = z.output<NonNullable<Routes[Name]['result']>>;

/** A request for `fetchBaseQuery`; `url` includes the query. */
export interface RouteRequest {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: object;
  headers?: Record<string, string>;
}

/** Injected by Vite (see route-table.ts): importing the routes would pull every schema into the first page. */
declare const routeTable: Record<
  RouteName,
  readonly [method: RouteRequest['method'], path: string, accepts: Route['accepts']]
>;
const table = routeTable;

function buildRequest(name: RouteName, input: object | undefined): RouteRequest {
  const [method, path, accepts] = table[name];
  const rest: Record<string, unknown> = { ...input };
  const address = path.replace(/:(\w+)/g, (_match, key: string) => {
    const value = encodeURIComponent(String(rest[key]));
    delete rest[key];
    return value;
  });
  if (accepts === 'json') return { url: address, method, body: rest };
  const query = new URLSearchParams(
    Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  ).toString();
  return { url: query === '' ? address : `${address}?${query}`, method };
}

/** Builds the request of a route: fills in the path, and sends the rest of the input as query or body. */
export function routeRequest<Name extends RouteName>(
  name: Name,
  ...[input]: RouteInput<Name> extends void ? [] : [input: RouteInput<Name>]
): RouteRequest {
  return buildRequest(name, input as object | undefined);
}

/** The URL of a route without parameters, for requests outside RTK Query: uploads and streams. */
export function routeUrl(name: RouteName): string {
  return table[name][1];
}

interface RouteEndpoint<Name extends RouteName, Result> {
  query: (input: RouteInput<Name>) => RouteRequest;
  transformResponse: (response: RouteResult<Name>) => Result;
}

/**
 * The endpoint of a route: `build.query(endpoint('listUsers', 'users'))`.
 * @param field returns only this field of the result
 */
export function endpoint<Name extends RouteName>(name: Name): RouteEndpoint<Name, RouteResult<Name>>;
export function endpoint<Name extends RouteName, Field extends keyof RouteResult<Name>>(
  name: Name,
  field: Field,
): RouteEndpoint<Name, RouteResult<Name>[Field]>;
export function endpoint<Name extends RouteName>(name: Name, field?: string): RouteEndpoint<Name, unknown> {
  return {
    query: (input) => buildRequest(name, input as object | undefined),
    transformResponse: (response) => (field ? (response as Record<string, unknown> | null)?.[field] : response),
  };
}

/** The message of an endpoint's failures if the server sends none: `...failed('fetch groups')`. */
export function failed(what: string) {
  return { extraOptions: { fallback: `Failed to ${what}` } };
}

/** The request of a route that edits a `version`, sent as If-Match. */
export function versionedRequest<Name extends RouteName>(
  name: Name,
  input: RouteInput<Name>,
  version: string | undefined,
): RouteRequest {
  const request = buildRequest(name, input as object | undefined);
  return version === undefined ? request : { ...request, headers: { 'If-Match': `"${version}"` } };
}

/** The endpoint of a route that edits: its input includes the `version` that was edited. */
export function editEndpoint<Name extends RouteName, Field extends keyof RouteResult<Name>>(name: Name, field: Field) {
  return {
    transformResponse: endpoint(name, field).transformResponse,
    query: ({ version, ...input }: RouteInput<Name> & { version?: string | undefined }): RouteRequest =>
      versionedRequest(name, input as RouteInput<Name>, version),
  };
}
