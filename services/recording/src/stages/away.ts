import { HttpError } from '@interview-prep/kit/http-error';
import { EngineError } from '../engines/engine-error.ts';
import type { Away } from '../recordings/model.ts';

/** What is away is looked for again after a pause that doubles, from the first to the longest. */
const firstPauseMs = 5000;
const longestPauseMs = 2 * 60_000;

/**
 * What is away is looked for this often: an engine's server for about six hours, since it may be fetching its model;
 * MongoDB and the object store for about a week. Counted by tries, so that time in which no worker ran does not count.
 */
const triesMost: Record<Away['what'], number> = { engine: 6 * 30, data: 7 * 24 * 30 };

/** What comes back by itself, where it was missing when a try failed; null for any other failure. */
export function whatIsAway(error: unknown): Away['what'] | null {
  if (error instanceof EngineError) return error.unreachable ? 'engine' : null;
  return (error instanceof HttpError && error.status === 503) || isMongoAway(error) ? 'data' : null;
}

const isMongoAway = (error: unknown) =>
  error instanceof Error && /^Mongo(ServerSelection|Network|NotConnected|Pool)/.test(error.name);

/** Counts another try that found something away. */
export function awayAgain(what: Away['what'], before: Away | null): Away {
  const tries = before?.what === what ? before.tries + 1 : 1;
  const pauseMs = Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs);
  return { what, tries, nextTryAt: new Date(Date.now() + pauseMs) };
}

export const isAwayTooLong = ({ what, tries }: Away): boolean => tries > triesMost[what];
