import type { Redis } from 'ioredis';
import { type HydratedDocument, type Model, type Schema, trusted } from 'mongoose';
import type { Logger } from '../process/logger.ts';
import { measureOutboxAge } from './outbox-age.ts';

/** Fields of a document whose changes are published to other services. `unpublished` is set until the event is queued. */
export interface Published {
  revision: number;
  unpublished?: boolean | undefined;
}

/** Schema paths of `Published`; pass the schema to `followChanges`. */
export const publishedFields = {
  revision: { type: Number, required: true, default: 1 },
  unpublished: { type: Boolean, default: true },
} as const;

/** The models that this process has updated since their outbox's last sweep. */
const updated = new WeakSet<object>();

/** Prepares a schema with `publishedFields` for an outbox, which then sweeps soon after an update by this process. */
export function followChanges<Document>(schema: Schema<Document>): void {
  schema.index({ unpublished: 1 }, { sparse: true });
  schema.post(['updateOne', 'updateMany', 'findOneAndUpdate'], function remember() {
    updated.add(this.model);
  });
}

/** Part of every update of a published document: increments its revision and marks it as unpublished. */
export const bumpRevision = { $inc: { revision: 1 }, $set: { unpublished: true } } as const;

/** Publishes the changes of one model's documents to other services, at least once. */
export interface Outbox<Document extends Published> {
  /** Publishes one change now; if that fails, the sweeper publishes it later. Call it after the write. Never throws. */
  publish(document: HydratedDocument<Document>): Promise<void>;
  /** Republishes every document, or those written since `since`. @returns how many */
  publishAll(since?: Date | null): Promise<number>;
  stop(): Promise<void>;
}

/** After this many skipped sweeps, one runs anyway: another process may have left changes, or Redis may be empty. */
const maxLeftOut = 14;

/**
 * How far before the checkpoint a full sweep starts. It allows for clock skew, and for writes that were in progress at the
 * checkpoint.
 */
const checkpointMarginMs = 60_000;

/** How long a process that is killed during a full sweep keeps others from starting one. */
const fullSweepLeaseMs = 5000;

/**
 * Opens the outbox of one model. A changed document keeps `unpublished` until its event is queued, and a sweeper publishes
 * changes left over by a bulk update, a crash or an outage. Redis itself may lose queued events: those of its last second
 * when it is killed, or all of them. So a checkpoint in Redis holds the time of the last full sweep. At startup, after each
 * lost connection and every `fullSweepMs`, the sweeper republishes everything written since the checkpoint, or everything if
 * there is none. Of several processes only one does so; the others then find a newer checkpoint.
 * @param options `emit` queues one document's events; `sweepMs` is the interval between sweeps while there is work, null if
 * another process sweeps
 */
export function createOutbox<Document extends Published>(options: {
  name: string;
  model: Model<Document>;
  emit: (document: HydratedDocument<Document>) => Promise<void>;
  redis: Redis;
  prefix: string;
  log: Logger;
  sweepMs?: number | null;
  fullSweepMs?: number;
}): Outbox<Document> {
  const { name, emit, redis, log, fullSweepMs = 10 * 60_000 } = options;
  const model = options.model as unknown as Model<Published>;
  const checkpointKey = `${options.prefix}:published:${name}`;
  const probeKey = `${checkpointKey}:probe`;
  const leaseKey = `${checkpointKey}:lease`;

  const publishOne = async (document: HydratedDocument<Document>) => {
    await emit(document);
    // Match the revision, so that a concurrent change stays unpublished. Publishing is not a change: keep updatedAt.
    await model.updateOne(
      { _id: document._id, revision: document.revision },
      { $unset: { unpublished: 1 } },
      { timestamps: false },
    );
  };

  /** Leaves a document that can't be published for the next sweep. @throws the error if Redis caused it */
  const postpone = async ({ _id }: HydratedDocument<Document>, error: unknown) => {
    // If Redis accepts no writes at all, the document is not to blame: fail the whole sweep, which is then repeated.
    await redis.set(probeKey, Date.now()).catch(() => {
      throw error;
    });
    await model.updateOne({ _id }, { $set: { unpublished: true } }, { timestamps: false });
    log.error({ outbox: name, document: _id, err: error }, 'cannot publish a change');
  };

  const publishWhere = async (filter: Record<string, unknown>) => {
    let published = 0;
    for await (const found of model.find(filter).cursor({ batchSize: 100 })) {
      const document = found as unknown as HydratedDocument<Document>;
      try {
        await publishOne(document);
        published += 1;
      } catch (error) {
        await postpone(document, error);
      }
    }
    return published;
  };
  const writtenSince = (since: Date | null) => (since ? { updatedAt: trusted({ $gte: since }) } : {});

  /** The number of consecutive sweeps skipped because there was no reason for one. */
  let leftOut = maxLeftOut;
  /** When the next full sweep is due, by the monotonic `performance.now()`; 0 for the next sweep. */
  let fullSweepDueAt = 0;
  const requireSweep = () => {
    leftOut = maxLeftOut;
  };
  const requireFullSweep = () => {
    fullSweepDueAt = 0;
    requireSweep();
  };

  const sweep = async () => {
    const now = Date.now();
    const isFullSweep = performance.now() >= fullSweepDueAt || (await redis.get(checkpointKey)) === null;
    if (!isFullSweep || (await redis.set(leaseKey, '', 'PX', fullSweepLeaseMs, 'NX')) === null) {
      if (isFullSweep) requireSweep();
      const leftOver = await publishWhere({ unpublished: true });
      if (leftOver > 0) log.debug({ outbox: name, published: leftOver }, 'published changes that were left over');
      return;
    }

    const renewal = setInterval(() => redis.pexpire(leaseKey, fullSweepLeaseMs).catch(() => {}), fullSweepLeaseMs / 3);
    try {
      await sweepAll(now);
    } finally {
      clearInterval(renewal);
      await redis.del(leaseKey).catch(() => {});
    }
  };

  const sweepAll = async (now: number) => {
    const isPlanned = fullSweepDueAt !== 0;
    fullSweepDueAt = performance.now() + fullSweepMs;
    const checkpoint = await redis.get(checkpointKey);
    const since = checkpoint === null ? null : new Date(Number(checkpoint) - checkpointMarginMs);
    const published = await publishWhere(since ? { $or: [{ unpublished: true }, writtenSince(since)] } : {});
    // If the connection broke in the meantime, Redis may also have lost the jobs that this sweep queued.
    if (fullSweepDueAt !== 0) await redis.set(checkpointKey, now);
    const level = isPlanned && checkpoint !== null ? 'debug' : 'info';
    if (published > 0) log[level]({ outbox: name, published, since }, 'published again what Redis may have lost');
  };

  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const queueSweep = () => {
    running = running.then(async () => {
      if (stopped) return;
      if (!updated.delete(model) && leftOut < maxLeftOut) {
        leftOut += 1;
        return;
      }
      leftOut = 0;
      await sweep().catch((error: unknown) => {
        requireFullSweep();
        log.warn({ outbox: name, err: error }, 'sweeping the outbox failed');
      });
    });
  };
  const stopMeasuring = measureOutboxAge(name, async () => {
    const oldest = await model.findOne({ unpublished: true }, 'updatedAt').sort({ updatedAt: 1 }).lean();
    return (oldest as { updatedAt?: Date } | null)?.updatedAt ?? null;
  });
  const timer = options.sweepMs === null ? undefined : setInterval(queueSweep, options.sweepMs ?? 2000);
  redis.on('close', requireFullSweep);

  return {
    async publish(document) {
      await publishOne(document).catch((error: unknown) => {
        requireSweep();
        log.warn({ outbox: name, err: error }, 'could not publish a change; the sweeper will retry');
      });
    },
    publishAll: (since) => publishWhere(writtenSince(since ?? null)),
    async stop() {
      stopped = true;
      clearInterval(timer);
      stopMeasuring();
      redis.off('close', requireFullSweep);
      await running;
    },
  };
}
