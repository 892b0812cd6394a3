import type { Registry } from '@prometheus-io/client';
import { registerReadGauge } from '../process/read-gauge.ts';

/** When the oldest unpublished change was written; null if there is none. */
type FindOldest = () => Promise<Date | null>;

const open = new Map<string, FindOldest>();

/** Adds an outbox to this process's metrics. @returns a function that removes it */
export function measureOutboxAge(name: string, findOldest: FindOldest): () => void {
  open.set(name, findOldest);
  return () => void (open.get(name) === findOldest && open.delete(name));
}

/** The seconds since a date; 0 for none. */
export function secondsSince(date: Date | null | undefined): number {
  return date ? Math.max(0, (Date.now() - date.getTime()) / 1000) : 0;
}

/** Registers the age of each outbox's oldest unpublished change, read at each scrape. */
export function registerOutboxAge(registry: Registry): void {
  registerReadGauge(registry, {
    name: 'outbox_oldest_change_age_seconds',
    help: 'Age of the oldest change that is not published yet, by outbox; 0 if there is none',
    labelNames: ['outbox'],
    read: () =>
      Promise.all(
        [...open].map(async ([outbox, findOldest]) => [{ outbox }, secondsSince(await findOldest())] as const),
      ),
  });
}
