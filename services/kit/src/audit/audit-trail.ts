import { randomUUID } from 'node:crypto';
import type { AuditEvent, AuditOutcome } from '@interview-prep/contracts/audit/audit-event';
import type { Redis } from 'ioredis';
import { type Connection, Schema, trusted } from 'mongoose';
import { isDuplicateKey } from '../mongo/mongo-errors.ts';
import type { Logger } from '../process/logger.ts';
import { repeat } from '../process/repeat.ts';
import { createEventFlood } from '../redis/event-flood.ts';
import type { JobProducer } from '../redis/job-queues.ts';
import { createOutbox, followChanges, type Published, publishedFields } from '../redis/outbox.ts';

/** The facts known when an event begins. Values of `details` must not hold secrets or anything users typed. */
export type AuditFacts = Pick<AuditEvent, 'action'> &
  Partial<Pick<AuditEvent, 'actor' | 'address' | 'target' | 'requestId' | 'details'>>;

/** An action that was recorded before it was done. */
export interface BegunEvent {
  /** Adds facts known only once the action runs: the actor of a sign-in, the target of a creation, details. */
  add(facts: Partial<AuditFacts>): void;
  /** Records the action's outcome, and publishes the event. Never throws: an event left open ends as interrupted. */
  end(outcome: AuditOutcome): Promise<void>;
}

/** Records what a service's users do, for the audit log that auth keeps. */
export interface AuditTrail {
  /**
   * Records a past event. Denials of one action from one address beyond 60 a minute are only counted; the next one
   * recorded has their number in `suppressed`. Never throws.
   * @param facts an event with an `id` is recorded once, however often it is passed
   */
  record(facts: AuditFacts & Pick<AuditEvent, 'outcome'> & Partial<Pick<AuditEvent, 'id'>>): Promise<void>;
  /** Records an action before it is done, so that a crash can't hide it. @throws MongoDB's error while it is down */
  begin(facts: AuditFacts): Promise<BegunEvent>;
  stop(): Promise<void>;
}

/** An event waiting to be sent to the log. It has no outcome until its action ends. */
interface WaitingEvent extends Omit<AuditEvent, 'id' | 'at' | 'outcome'>, Published {
  _id: string;
  at: Date;
  outcome?: AuditOutcome;
  updatedAt: Date;
}

const schema = new Schema<WaitingEvent>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    service: { type: String, required: true },
    action: { type: String, required: true },
    outcome: { type: String },
    actor: { type: String, default: null },
    address: { type: String, default: null },
    target: { type: String, default: null },
    requestId: { type: String, default: null },
    details: { type: Object, default: {} },
    revision: publishedFields.revision,
    // Set once the action has ended: until then it is not published.
    unpublished: { type: Boolean },
  },
  { timestamps: { createdAt: false, updatedAt: true }, collection: 'audit_outbox', minimize: false },
);
followChanges(schema);
schema.index({ updatedAt: 1 });

/** Longer than any audited request may take. */
const interruptedAfterMs = 60_000;
/** Events are kept this long after they were published, in case Redis loses them. */
const keepPublishedMs = 7 * 24 * 60 * 60_000;
const sweepMs = 60_000;

/**
 * Opens a service's audit trail: a collection in its own database, which an outbox publishes to the queue `auth`. The log
 * deduplicates events by id.
 * @param options `service` is written into each event; `sweeps`: whether this process publishes leftover events
 */
export function openAuditTrail(options: {
  service: string;
  mongo: Connection;
  jobs: JobProducer;
  redis: Redis;
  prefix: string;
  log: Logger;
  sweeps?: boolean;
}): AuditTrail {
  const { service, mongo, jobs, redis, prefix, log, sweeps = true } = options;
  const model = mongo.model<WaitingEvent>('AuditEvent', schema);
  const flood = createEventFlood();
  const outbox = createOutbox<WaitingEvent>({
    name: `audit-${service}`,
    model,
    redis,
    prefix,
    log,
    ...(sweeps ? {} : { sweepMs: null }),
    emit: async ({ _id: id, at, action, outcome, actor, address, target, requestId, details }) => {
      if (outcome === undefined) return;
      const facts = { service, action, outcome, actor, address, target, requestId, details };
      await jobs.add('auth', 'audit-event', { id, at: at.toISOString(), ...facts });
    },
  });

  const create = (facts: AuditFacts & { outcome?: AuditOutcome }, id = randomUUID() as string) =>
    model.create({
      _id: id,
      at: new Date(),
      service,
      ...facts,
      ...(facts.outcome ? { unpublished: true } : {}),
    });

  const end = async (id: string, facts: Partial<AuditFacts>, outcome: AuditOutcome) => {
    const ended = await model.findOneAndUpdate(
      { _id: id, outcome: trusted({ $exists: false }) },
      { $set: { ...facts, outcome, unpublished: true } },
      { returnDocument: 'after' },
    );
    if (ended) await outbox.publish(ended);
  };

  const sweep = async () => {
    const open = {
      outcome: trusted({ $exists: false }),
      at: trusted({ $lt: new Date(Date.now() - interruptedAfterMs) }),
    };
    for (const { _id } of await model.find(open, '_id').lean()) await end(_id, {}, 'interrupted');
    await model.deleteMany({
      outcome: trusted({ $exists: true }),
      unpublished: trusted({ $exists: false }),
      updatedAt: trusted({ $lt: new Date(Date.now() - keepPublishedMs) }),
    });
  };
  const logFailure = (error: unknown) => log.warn({ err: error }, 'sweeping the audit trail failed');
  const stopSweeping = sweeps ? repeat(sweepMs, sweep, logFailure) : null;

  return {
    async record({ id, ...facts }) {
      const suppressed = facts.outcome === 'denied' ? flood.pass(`${facts.action} ${facts.address}`) : 0;
      if (suppressed === null) return;
      const details = { ...facts.details, ...(suppressed > 0 ? { suppressed } : {}) };
      await create({ ...facts, details }, id)
        .then((event) => outbox.publish(event))
        .catch((error: unknown) => {
          if (id !== undefined && isDuplicateKey(error)) return;
          log.error({ err: error, action: facts.action }, 'an audit event could not be written');
        });
    },
    async begin(facts) {
      const { _id } = await create(facts);
      let added: Partial<AuditFacts> = {};
      return {
        add(more) {
          added = { ...added, ...more, details: { ...added.details, ...more.details } };
        },
        end: (outcome) =>
          end(_id, added, outcome).catch((error: unknown) =>
            log.error({ err: error, event: _id }, 'the end of an audit event could not be written'),
          ),
      };
    },
    async stop() {
      await stopSweeping?.();
      await outbox.stop();
    },
  };
}
