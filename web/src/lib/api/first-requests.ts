import { limits } from '@interview-prep/contracts/limits';
import { timeZone } from '../time-zone.ts';
import { type RouteRequest, routeRequest } from './route-request.ts';

/** Lines per page of a history. */
export const historyPageSize = 25;

export function progressRequest(): RouteRequest {
  return routeRequest('progress', { timeZone: timeZone() });
}

/** A user's latest interviews. The email goes in the body: servers log addresses. */
export function latestInterviewsRequest(email: string): RouteRequest {
  return routeRequest('searchInterviewHistory', { email, limit: limits.historyPageMax });
}

/** Everything that the home screen shows. The request with the time zone comes last: some browsers take long to name it. */
export function* homeRequests(email: string): Generator<RouteRequest> {
  yield routeRequest('listInterviewSets');
  yield routeRequest('listTechnologies');
  yield routeRequest('listPracticeSets');
  yield latestInterviewsRequest(email);
  yield routeRequest('reviews');
  yield progressRequest();
}
