import type { Logger } from '@interview-prep/kit/process/logger';
import { type Model, type Types, trusted } from 'mongoose';

/** The pauses before each further attempt, as the Standard Webhooks specification recommends. */
const pausesMs = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000);

/** How often to look for messages that another process left over. */
const pollMs = 60_000;
/** How long one attempt may take before another process may try. */
const leaseMs = 60_000;
/** Concurrent deliveries per process, so that a hanging receiver doesn't hold up the others. */
const atOnce = 8;

/** The stored state of a message to another system. */
export interface Deliverable {
  _id: Types.ObjectId;
  attempts: number;
  /** The time of the next attempt; while a process works on it, the end of its lease. Absent once it has ended. */
  dueAt?: Date;
  lastAt?: Date;
  outcome?: string;
  deliveredAt?: Date;
}

/** The outcome of an attempt. `isFinal`: retrying won't help. */
export interface DeliveryAttempt {
  succeeded: boolean;
  outcome: string;
  isFinal?: boolean;
}

/** Delivers due messages, surviving restarts. */
export interface Deliveries {
  /** Checks for due messages now, without waiting for the next poll. */
  wake(): void;
  stop(): Promise<void>;
}

/** Whether a message is pending, delivered or abandoned. */
export function deliveryState({ deliveredAt, dueAt }: Deliverable): 'delivered' | 'waiting' | 'failed' {
  return deliveredAt ? 'delivered' : dueAt ? 'waiting' : 'failed';
}

/**
 * Delivers the due documents of a collection in the background, one lease each, with longer pauses after each failure.
 * @param send null deletes the document: it is no longer to be sent
 */
export function deliverDue<Stored extends Deliverable>(
  model: Model<Stored>,
  send: (stored: Stored) => Promise<DeliveryAttempt | null>,
  log: Logger,
): Deliveries {
  const deliveries = model as unknown as Model<Deliverable>;

  const deliver = async (stored: Deliverable) => {
    const { _id, attempts, dueAt = new Date(0) } = stored;
    const sent = await send(stored as Stored);
    // Match the lease: a message that changed in the meantime is sent again.
    const own = { _id, dueAt };
    if (!sent) {
      await deliveries.deleteOne(own);
      return;
    }
    const { succeeded, outcome, isFinal = false } = sent;
    const lastAt = new Date();
    const pauseMs = pausesMs[attempts - 1];
    const isDone = succeeded || isFinal || pauseMs === undefined;
    const $set = { lastAt, outcome, ...(succeeded ? { deliveredAt: lastAt } : {}) };
    const update = isDone
      ? { $set, $unset: { dueAt: 1 } }
      : { $set: { ...$set, dueAt: new Date(lastAt.getTime() + pauseMs) } };
    await deliveries.updateOne(own, update);
    // Longer pauses are left to the poll.
    if (!isDone && pauseMs < pollMs) setTimeout(wake, pauseMs).unref();
  };

  let stopped = false;
  const running = new Set<Promise<void>>();
  const work = async () => {
    while (!stopped) {
      const stored = await deliveries
        .findOneAndUpdate(
          { dueAt: trusted({ $lte: new Date() }) },
          { $set: { dueAt: new Date(Date.now() + leaseMs) }, $inc: { attempts: 1 } },
          { sort: { dueAt: 1 }, returnDocument: 'after' },
        )
        .lean<Deliverable>();
      if (!stored) return;
      await deliver(stored).catch((error: unknown) => log.error({ err: error }, 'delivering a message failed'));
    }
  };
  const wake = () => {
    if (stopped || running.size >= atOnce) return;
    const worker: Promise<void> = work()
      .catch((error: unknown) => log.warn({ err: error }, 'finding due messages failed'))
      .finally(() => running.delete(worker));
    running.add(worker);
  };
  const timer = setInterval(wake, pollMs);
  wake();
  return {
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}
