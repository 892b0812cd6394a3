import { liveStatusChannel } from '@interview-prep/contracts/events/jobs';
import { LiveStatus } from '@interview-prep/contracts/recording/recordings';
import { LiveWords } from '@interview-prep/contracts/recording/uploads';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Logger } from '../process/logger.ts';

const owner = { userId: z.string() };

/** A recording's new status, or the words of an answer still being spoken, with the user who may see it. */
export const OwnedLiveStatus = z.union([LiveStatus.extend(owner), LiveWords.extend(owner)]);
export type OwnedLiveStatus = z.infer<typeof OwnedLiveStatus>;

const channelOf = (prefix: string) => `${prefix}:${liveStatusChannel}`;

/**
 * Publishes a recording's status to all event streams: from history once it has applied a change, and from the worker while a
 * stage runs. Without a subscriber it is lost, which is harmless: a page fetches the state when it opens.
 * @throws while Redis is down
 */
export async function publishLiveStatus(redis: Redis, prefix: string, status: OwnedLiveStatus): Promise<void> {
  await redis.publish(channelOf(prefix), JSON.stringify(OwnedLiveStatus.parse(status)));
}

/**
 * Subscribes to the statuses of all recordings.
 * @param redis a dedicated connection: while subscribed, it can't run other commands
 * @param onGap called when the subscription resumes after an interruption, during which messages were lost
 * @returns a function that ends the subscription; the connection stays open
 */
export async function subscribeLiveStatus(
  redis: Redis,
  prefix: string,
  listener: (status: OwnedLiveStatus) => void,
  log: Logger,
  onGap: () => void = () => undefined,
): Promise<() => Promise<void>> {
  const channel = channelOf(prefix);
  const receive = (from: string, message: string) => {
    if (from !== channel) return;
    const parsed = OwnedLiveStatus.safeParse(parsedJson(message));
    if (parsed.success) listener(parsed.data);
    else log.warn({ err: parsed.error }, 'ignored a malformed live status');
  };
  redis.on('message', receive);
  await redis.subscribe(channel);
  // Ignore errors: if the connection breaks again, this runs again once it is ready.
  const resume = () => void redis.subscribe(channel).then(onGap, () => undefined);
  redis.on('ready', resume);
  return async () => {
    redis.off('ready', resume);
    redis.off('message', receive);
    await redis.unsubscribe(channel);
  };
}

/** The value; undefined if the text is not JSON, which then fails the schema. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
