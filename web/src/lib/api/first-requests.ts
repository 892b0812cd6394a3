import { limits } from '@interview-prep/contracts/api/limits';
import { type RouteRequest, routeRequest } from './route-request.ts';

interface WithTemporal {
  Temporal?: { Now: { timeZoneId(): string } };
}

/** The reader's time zone, by its IANA name. `Temporal` says it at once; `Intl` makes a whole format for it. */
export function timeZone(): string {
  return (globalThis as WithTemporal).Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Lines per page of a history. */
export const historyPageSize = 25;

/** The sets that candidates see, without answers: those take ten times as long to load. */
export const shownSets = { status: 'published', answers: false } as const;

export function progressRequest(): RouteRequest {
  return routeRequest('progress', { timeZone: timeZone() });
}

/** A user's latest interviews. The email goes in the body: servers log addresses. */
export function latestInterviewsRequest(email: string): RouteRequest {
  return routeRequest('searchInterviewHistory', { email, limit: limits.historyPageMax });
}

/** Everything that the home screen shows. The request with the time zone comes last: some browsers take long to name it. */
export function* homeRequests(email: string): Generator<RouteRequest> {
  yield routeRequest('listInterviewSets', shownSets);
  yield routeRequest('listTechnologies');
  yield routeRequest('listPracticeSets', shownSets);
  yield latestInterviewsRequest(email);
  yield routeRequest('reviews');
  yield progressRequest();
}
