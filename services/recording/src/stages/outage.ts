import { outageOf } from '@interview-prep/kit/outages';
import type { Outage } from '../recordings/model.ts';

/** What is away is looked for again after a pause that doubles, from the first to the longest. */
const firstPauseMs = 5000;
const longestPauseMs = 2 * 60_000;

/**
 * What is away is looked for this often: an engine's server for about six hours, since it may be fetching its model;
 * MongoDB and the object store for about a week. Counted by tries, so that time in which no worker ran does not count.
 */
const maxTries: Record<Outage['what'], number> = { engine: 6 * 30, data: 7 * 24 * 30 };

/** What was down when a stage failed; null where the failure has another cause. */
export function stageOutage(error: unknown): Outage['what'] | null {
  const part = outageOf(error);
  if (part === null) return null;
  return part === 'engine' ? 'engine' : 'data';
}

/** Counts another try that found something away. */
export function nextOutage(what: Outage['what'], before: Outage | null): Outage {
  const tries = before?.what === what ? before.tries + 1 : 1;
  const pauseMs = Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs);
  return { what, tries, nextTryAt: new Date(Date.now() + pauseMs) };
}

export const isOutageTooLong = ({ what, tries }: Outage): boolean => tries > maxTries[what];
