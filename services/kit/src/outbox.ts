import type { Redis } from 'ioredis';
import { type HydratedDocument, type Model, trusted } from 'mongoose';
import type { Logger } from './logger.ts';

/** Fields of a document whose changes other services must hear of. `unpublished` stays until the event is queued. */
export interface Published {
  revision: number;
  unpublished?: boolean | undefined;
}

/** Schema paths of `Published`; add `schema.index({ unpublished: 1 }, { sparse: true })`. */
export const publishedFields = {
  revision: { type: Number, required: true, default: 1 },
  unpublished: { type: Boolean, default: true },
} as const;

/** Part of every update of a published document: a larger revision, to be told. */
export const bumpRevision = { $inc: { revision: 1 }, $set: { unpublished: true } } as const;

/** Tells changes of one model's documents to other services, at least once, whatever fails in between. */
export interface Outbox<Document extends Published> {
  /** Tells of one change at once; where that fails, the sweeper does it later. Call after the write. */
  publish(document: HydratedDocument<Document>): Promise<void>;
  /** Tells everything again, or what was written since `since`. */
  publishAll(since?: Date | null): Promise<number>;
  stop(): Promise<void>;
}

/** What bears a time so long before the last thorough look may have been told after it: clocks differ, writes take time. */
const marginMs = 60_000;

/**
 * Keeps the promise that what is in MongoDB reaches the queues. Changed documents carry `unpublished` until their event is
 * queued, and a sweeper looks for those left over. Redis may lose what was queued: its last seconds where it is killed, or
 * all. So a checkpointKey key there holds the time of the last thorough look; at the start, after each broken connection and now
 * and then the sweeper tells again what was written since, or everything where the key is gone.
 * @param options `emit` queues the events of one document; `sweepMs` between two looks (null where another process does
 * the looking), `thoroughMs` between two thorough ones
 */
export function createOutbox<Document extends Published>(options: {
  name: string;
  model: Model<Document>;
  emit: (document: HydratedDocument<Document>) => Promise<void>;
  redis: Redis;
  prefix: string;
  log: Logger;
  sweepMs?: number | null;
  thoroughMs?: number;
}): Outbox<Document> {
  const { name, emit, redis, log, thoroughMs = 10 * 60_000 } = options;
  const model = options.model as unknown as Model<Published>;
  const checkpointKey = `${options.prefix}:published:${name}`;

  const tell = async (document: HydratedDocument<Document>) => {
    await emit(document);
    // Telling changes nothing: updatedAt stays as it is.
    await model.updateOne(
      { _id: document._id, revision: document.revision },
      { $unset: { unpublished: 1 } },
      { timestamps: false },
    );
  };

  /** One document that can not be told keeps none of the others back: it stays for the next look. */
  const putOff = async ({ _id }: HydratedDocument<Document>, error: unknown) => {
    await redis.ping().catch(() => {
      throw error;
    });
    await model.updateOne({ _id }, { $set: { unpublished: true } }, { timestamps: false });
    log.error({ outbox: name, document: _id, err: error }, 'a change can not be told');
  };

  const publishWhere = async (filter: Record<string, unknown>) => {
    let told = 0;
    for await (const found of model.find(filter).cursor({ batchSize: 100 })) {
      const document = found as unknown as HydratedDocument<Document>;
      try {
        await tell(document);
        told += 1;
      } catch (error) {
        await putOff(document, error);
      }
    }
    return told;
  };
  const publishSince = (since: Date | null) => publishWhere(since ? { updatedAt: trusted({ $gte: since }) } : {});

  /** Until when Redis is taken to have kept what it was told; 0 while that is in doubt. */
  let trustedUntil = 0;
  const doubt = () => {
    trustedUntil = 0;
  };

  const sweep = async () => {
    const leftOver = await publishWhere({ unpublished: true });
    if (leftOver > 0) log.info({ outbox: name, told: leftOver }, 'told changes that were left over');

    const now = Date.now();
    const lastLook = await redis.get(checkpointKey);
    if (lastLook !== null && now < trustedUntil) return;
    trustedUntil = now + thoroughMs;
    const since = lastLook === null ? null : new Date(Number(lastLook) - marginMs);
    const told = await publishSince(since);
    // Where the connection broke meanwhile, what was just told is in doubt as well.
    if (trustedUntil !== 0) await redis.set(checkpointKey, now);
    if (told > 0) log.info({ outbox: name, told, since }, 'told again what Redis may have lost');
  };

  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const look = () => {
    running = running.then(async () => {
      if (stopped) return;
      await sweep().catch((error: unknown) => {
        doubt();
        log.warn({ outbox: name, err: error }, 'sweeping the outbox failed');
      });
    });
  };
  const timer = options.sweepMs === null ? undefined : setInterval(look, options.sweepMs ?? 2000);
  redis.on('close', doubt);

  return {
    async publish(document) {
      await tell(document).catch((error: unknown) =>
        log.warn({ outbox: name, err: error }, 'telling a change failed; it is told later'),
      );
    },
    publishAll: (since) => publishSince(since ?? null),
    async stop() {
      stopped = true;
      clearInterval(timer);
      redis.off('close', doubt);
      await running;
    },
  };
}
