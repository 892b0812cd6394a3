import type { ServiceName } from '@interview-prep/contracts/api/route';

export type Upstream = Exclude<ServiceName, 'gateway'>;

/** Path prefixes with their services. The first row that is a prefix of the request's path wins. */
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

/** The service for a request's path (without the query); undefined if the gateway handles it. */
export function upstreamOf(path: string): Upstream | undefined {
  return proxyTable.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1];
}
