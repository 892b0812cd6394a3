import type { ServiceName } from '@interview-prep/contracts/route';

/** The services behind the gateway. */
export type Upstream = Exclude<ServiceName, 'gateway'>;

/** Which service answers under which path: the first row whose path opens the request's wins. */
export const proxyTable: readonly (readonly [path: string, upstream: Upstream])[] = [
  ['/api/auth', 'auth'],
  ['/api/users', 'auth'],
  ['/api/technologies', 'catalog'],
  ['/api/interviews/sets', 'catalog'],
  ['/api/interviews/recordings', 'recording'],
  ['/api/interviews', 'history'],
  ['/api/practice/recordings', 'recording'],
  ['/api/practice/history', 'history'],
  ['/api/practice/details', 'history'],
  ['/api/practices', 'catalog'],
  ['/api/practice', 'catalog'],
  ['/api/recordings', 'recording'],
  ['/api/media', 'recording'],
  ['/api/events', 'recording'],
];

/** The service for a request's path (without query), undefined where none is concerned. */
export function upstreamOf(path: string): Upstream | undefined {
  return proxyTable.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1];
}
