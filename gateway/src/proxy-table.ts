import type { ServiceName } from '@interview-prep/contracts/api/route';

/** The services behind the gateway. */
export type Upstream = Exclude<ServiceName, 'gateway'>;

/** The service of each path. The first row whose path is a prefix of the request's path wins. */
export const proxyTable: readonly (readonly [path: string, upstream: Upstream])[] = [
  ['/api/auth', 'auth'],
  ['/api/users', 'auth'],
  ['/api/groups', 'auth'],
  ['/api/audit', 'auth'],
  ['/api/technologies', 'catalog'],
  ['/api/interviews/sets', 'catalog'],
  ['/api/interviews/recordings', 'recording'],
  ['/api/interviews', 'history'],
  ['/api/practice/recordings', 'recording'],
  ['/api/practice/history', 'history'],
  ['/api/practice/details', 'history'],
  ['/api/progress', 'history'],
  ['/api/reviews', 'history'],
  ['/api/practices', 'catalog'],
  ['/api/practice', 'catalog'],
  ['/api/recordings', 'recording'],
  ['/api/uploads', 'recording'],
  ['/api/assignments', 'recording'],
  ['/api/calendar', 'recording'],
  ['/api/review-snippets', 'recording'],
  ['/api/rosters', 'history'],
  ['/api/sessions', 'recording'],
  ['/api/shares', 'recording'],
  ['/api/shared', 'recording'],
  ['/api/media', 'recording'],
  ['/api/events', 'recording'],
];

/** The service for a request's path (without query); undefined if it belongs to the gateway. */
export function upstreamOf(path: string): Upstream | undefined {
  return proxyTable.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1];
}
