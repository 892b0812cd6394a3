import { liveStatusChannel } from '@interview-prep/contracts/jobs';
import { LiveStatus } from '@interview-prep/contracts/recordings';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Logger } from './logger.ts';

/** A recording's move as its owner may hear of it. */
export const OwnedLiveStatus = LiveStatus.extend({ userId: z.string() });
export type OwnedLiveStatus = z.infer<typeof OwnedLiveStatus>;

const channelOf = (prefix: string) => `${prefix}:${liveStatusChannel}`;

/**
 * Tells all event streams of a recording's move; history does so once the change shows in what it answers.
 * A message that nobody listens to is gone: streams are a hint to look again, never the truth.
 * @throws where Redis is away
 */
export async function publishLiveStatus(redis: Redis, prefix: string, status: OwnedLiveStatus): Promise<void> {
  await redis.publish(channelOf(prefix), JSON.stringify(OwnedLiveStatus.parse(status)));
}

/**
 * Listens to all moves of all recordings.
 * @param redis a connection of the subscription's own: it can do nothing else meanwhile
 * @returns ends the subscription; the connection stays open
 */
export async function subscribeLiveStatus(
  redis: Redis,
  prefix: string,
  listener: (status: OwnedLiveStatus) => void,
  log: Logger,
): Promise<() => Promise<void>> {
  const channel = channelOf(prefix);
  const receive = (from: string, message: string) => {
    if (from !== channel) return;
    const parsed = OwnedLiveStatus.safeParse(parsedJson(message));
    if (parsed.success) listener(parsed.data);
    else log.warn({ err: parsed.error }, 'a live status is not understood');
  };
  redis.on('message', receive);
  await redis.subscribe(channel);
  return async () => {
    redis.off('message', receive);
    await redis.unsubscribe(channel);
  };
}

/** The value, or undefined for what is no JSON, which the schema then refuses. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
