import { limits } from '@interview-prep/contracts/api/limits';
import { type RouteRequest, routeRequest } from './route-request.ts';

interface WithTemporal {
  Temporal?: { Now: { timeZoneId(): string } };
}

/** The user's IANA time zone. `Temporal` is instant; `Intl` has to create a whole formatter. */
export function timeZone(): string {
  return (globalThis as WithTemporal).Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Rows per page of the history. */
export const historyPageSize = 25;

/** The sets that candidates see, without answers, which would take ten times as long to load. */
export const shownSets = { status: 'published', answers: false } as const;

export function progressRequest(): RouteRequest {
  return routeRequest('progress', { timeZone: timeZone() });
}

/** A user's latest interviews. The email goes into the body, since servers log URLs. */
export function latestInterviewsRequest(email: string): RouteRequest {
  return routeRequest('searchInterviewHistory', { email, limit: limits.historyPageMax });
}

/** All requests of the home screen. The one with the time zone comes last: some browsers are slow to determine it. */
export function* homeRequests(email: string): Generator<RouteRequest> {
  yield routeRequest('listInterviewSets', shownSets);
  yield routeRequest('listTechnologies');
  yield routeRequest('listPracticeSets', shownSets);
  yield latestInterviewsRequest(email);
  yield routeRequest('reviews');
  yield progressRequest();
}
