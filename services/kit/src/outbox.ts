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
export const touched = { $inc: { revision: 1 }, $set: { unpublished: true } } as const;

/** Tells changes of one model's documents to other services, at least once, whatever fails in between. */
export interface Outbox<Document extends Published> {
  /** Tells of one change at once; where that fails, the sweeper does it later. Call after the write. */
  publish(document: HydratedDocument<Document>): Promise<void>;
  /** Tells everything again, or what was written since `since`. */
  publishAll(since?: Date | null): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Keeps the promise that what is in MongoDB reaches the queues: changed documents carry `unpublished` until their event
 * is queued, a sweeper looks for those left over, and when Redis was emptied (its witness key is gone) everything is told again.
 * @param options `emit` queues the events of one document; `sweepMs` between two looks; null where another process does the looking
 */
export function createOutbox<Document extends Published>(options: {
  name: string;
  model: Model<Document>;
  emit: (document: HydratedDocument<Document>) => Promise<void>;
  redis: Redis;
  prefix: string;
  log: Logger;
  sweepMs?: number | null;
}): Outbox<Document> {
  const { name, emit, redis, log } = options;
  const model = options.model as unknown as Model<Published>;
  const witness = `${options.prefix}:published:${name}`;

  const tell = async (document: HydratedDocument<Document>) => {
    await emit(document);
    // Telling changes nothing: updatedAt stays as it is.
    await model.updateOne(
      { _id: document._id, revision: document.revision },
      { $unset: { unpublished: 1 } },
      { timestamps: false },
    );
  };

  const publishWhere = async (filter: Record<string, unknown>) => {
    let told = 0;
    for await (const document of model.find(filter).cursor({ batchSize: 100 })) {
      await tell(document as unknown as HydratedDocument<Document>);
      told += 1;
    }
    return told;
  };

  const sweep = async () => {
    if ((await redis.exists(witness)) === 0) {
      const told = await publishWhere({});
      await redis.set(witness, 1);
      log.info({ outbox: name, told }, 'told everything, since Redis was empty');
      return;
    }
    const told = await publishWhere({ unpublished: true });
    if (told > 0) log.info({ outbox: name, told }, 'told changes that were left over');
  };

  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const look = () => {
    running = running.then(async () => {
      if (stopped) return;
      await sweep().catch((error: unknown) => log.warn({ outbox: name, err: error }, 'sweeping the outbox failed'));
    });
  };
  const timer = options.sweepMs === null ? undefined : setInterval(look, options.sweepMs ?? 2000);

  return {
    async publish(document) {
      await tell(document).catch((error: unknown) =>
        log.warn({ outbox: name, err: error }, 'telling a change failed; it is told later'),
      );
    },
    publishAll: (since) => publishWhere(since ? { updatedAt: trusted({ $gte: since }) } : {}),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
