import { limits } from '@interview-prep/contracts/limits';
import { timeZone } from '../time-zone.ts';
import type { EarlyRequest } from './early-answers.ts';

/** What screens ask for first. Their endpoints use the same, so that each is sent once. */
export const interviewSetsRequest = { url: '/api/interviews/sets' } satisfies EarlyRequest;
export const practiceSetsRequest = { url: '/api/practice' } satisfies EarlyRequest;
export const technologiesRequest = { url: '/api/technologies' } satisfies EarlyRequest;
export const reviewsRequest = { url: '/api/reviews' } satisfies EarlyRequest;

export function progressRequest() {
  return { url: `/api/progress?${new URLSearchParams({ timeZone: timeZone() })}` } satisfies EarlyRequest;
}

/** A user's latest interviews. The email goes in the body: servers log addresses. */
export function latestInterviewsRequest(email: string) {
  return {
    url: '/api/interviews/history/search',
    method: 'POST',
    body: { email, limit: limits.historyPageMax },
  } satisfies EarlyRequest;
}

/** Lines per page of a history. */
export const historyPageSize = 25;

/** The first page of the interview history, without a filter. */
export const interviewHistoryRequest = {
  url: `/api/interviews/history?limit=${historyPageSize}`,
} satisfies EarlyRequest;

/** Everything that the first screen shows. The one with the time zone comes last: some browsers take long to name it. */
export function* homeRequests(email: string): Generator<EarlyRequest> {
  yield interviewSetsRequest;
  yield technologiesRequest;
  yield practiceSetsRequest;
  yield latestInterviewsRequest(email);
  yield reviewsRequest;
  yield progressRequest();
}
