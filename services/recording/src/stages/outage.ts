import { HttpError } from '@interview-prep/kit/http-error';
import { EngineError } from '../engines/engine-error.ts';
import type { Outage } from '../recordings/model.ts';

/** What is away is looked for again after a pause that doubles, from the first to the longest. */
const firstPauseMs = 5000;
const longestPauseMs = 2 * 60_000;

/**
 * What is away is looked for this often: an engine's server for about six hours, since it may be fetching its model;
 * MongoDB and the object store for about a week. Counted by tries, so that time in which no worker ran does not count.
 */
const maxTries: Record<Outage['what'], number> = { engine: 6 * 30, data: 7 * 24 * 30 };

/** What comes back by itself, where it was missing when a try failed; null for any other failure. */
export function outageOf(error: unknown): Outage['what'] | null {
  if (error instanceof EngineError) return error.unreachable ? 'engine' : null;
  return (error instanceof HttpError && error.status === 503) || isMongoAway(error) ? 'data' : null;
}

const isMongoAway = (error: unknown) =>
  error instanceof Error && /^Mongo(ServerSelection|Network|NotConnected|Pool)/.test(error.name);

/** Counts another try that found something away. */
export function nextOutage(what: Outage['what'], before: Outage | null): Outage {
  const tries = before?.what === what ? before.tries + 1 : 1;
  const pauseMs = Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs);
  return { what, tries, nextTryAt: new Date(Date.now() + pauseMs) };
}

export const isOutageTooLong = ({ what, tries }: Outage): boolean => tries > maxTries[what];
