import { createHash } from 'node:crypto';
import type { WebhookEvent } from '@interview-prep/contracts/auth/webhooks';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Logger } from '@interview-prep/kit/process/logger';
import { Types, trusted } from 'mongoose';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import type { UserModel } from '../users/model.ts';
import type { DeliveryModel, StoredDelivery, StoredWebhook, WebhookModel } from './model.ts';
import { sendWebhook, type WebhookNetworks } from './send-webhook.ts';

/** The pauses before each further attempt, as the Standard Webhooks specification recommends. */
const pausesMs = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000);

const pollMs = 5000;
/** How long one attempt may take before another process may try. */
const leaseMs = 60_000;
/** How many messages one process sends at the same time: a receiver that hangs must not hold up the others. */
const atOnce = 8;

/** Seals the secrets of webhooks for this purpose alone. */
export const webhookSecretPurpose = 'webhook secret';

/** Tells other systems of events. */
export interface Webhooks {
  webhooks: WebhookModel;
  deliveries: DeliveryModel;
  networks: WebhookNetworks;
  /** Stores a message of each event for each webhook that wants it. A repeated event is one message. */
  announce(...events: WebhookEvent[]): Promise<void>;
  /** Looks for messages that are due now, without waiting for the next poll. */
  wake(): void;
  /** Deletes somebody's webhooks, and the messages about them. */
  forget(userId: Types.ObjectId): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the webhooks, and sends what is due in the background. */
export function openWebhooks(deps: {
  models: { webhooks: WebhookModel; deliveries: DeliveryModel };
  users: UserModel;
  /** Whether somebody coaches a group now. */
  isCoach(userId: string, groupId: string): Promise<boolean>;
  secrets: SealedSecrets;
  networks: WebhookNetworks;
  log: Logger;
}): Webhooks {
  const { users, isCoach, secrets, networks, log } = deps;
  const { webhooks, deliveries } = deps.models;

  /** Whether the owner of a webhook may hear of something now. */
  const mayHear = async ({ userId }: StoredWebhook, groupId: string | null) => {
    const owner = await users.findOne({ _id: userId, deletedAt: null, suspendedAt: null }, 'role').lean();
    return owner !== null && (owner.role === 'admin' || (groupId !== null && (await isCoach(String(userId), groupId))));
  };

  const settle = ({ _id }: StoredDelivery, $set: object, isDone: boolean) =>
    deliveries.updateOne({ _id }, isDone ? { $set, $unset: { dueAt: 1 } } : { $set });

  const deliver = async (delivery: StoredDelivery) => {
    const { _id, webhookId, groupId, type, payload, attempts } = delivery;
    const webhook = await webhooks.findById(webhookId).lean();
    if (!webhook || !(await mayHear(webhook, groupId))) {
      await deliveries.deleteOne({ _id });
      return;
    }
    const secret = secrets.open(webhook.secret, webhookSecretPurpose);
    const { succeeded, outcome } = await sendWebhook({ id: `msg_${_id}`, url: webhook.url, secret, payload }, networks);
    const lastAt = new Date();
    log.info({ webhook: webhookId, type, attempts, outcome, succeeded }, 'webhook sent');
    if (succeeded) return settle(delivery, { lastAt, outcome, deliveredAt: lastAt }, true);
    const pauseMs = pausesMs[attempts - 1];
    // 410 Gone: the receiver wants no more of it.
    if (pauseMs === undefined || outcome === '410') return settle(delivery, { lastAt, outcome }, true);
    return settle(delivery, { lastAt, outcome, dueAt: new Date(lastAt.getTime() + pauseMs) }, false);
  };

  let stopped = false;
  const running = new Set<Promise<void>>();
  const work = async () => {
    while (!stopped) {
      const delivery = await deliveries
        .findOneAndUpdate(
          { dueAt: trusted({ $lte: new Date() }) },
          { $set: { dueAt: new Date(Date.now() + leaseMs) }, $inc: { attempts: 1 } },
          { sort: { dueAt: 1 }, returnDocument: 'after' },
        )
        .lean();
      if (!delivery) return;
      await deliver(delivery).catch((error: unknown) => log.error({ err: error }, 'sending a webhook failed'));
    }
  };
  const wake = () => {
    if (stopped || running.size >= atOnce) return;
    const worker: Promise<void> = work()
      .catch((error: unknown) => log.warn({ err: error }, 'finding webhook messages failed'))
      .finally(() => running.delete(worker));
    running.add(worker);
  };
  const timer = setInterval(wake, pollMs);
  wake();

  return {
    webhooks,
    deliveries,
    networks,
    wake,
    async announce(...events) {
      const createdAt = new Date();
      const wanting = await webhooks.find({ events: trusted({ $in: events.map(({ type }) => type) }) }).lean();
      const messages: StoredDelivery[] = [];
      for (const webhook of wanting)
        for (const { id, type, at, userId, groupId, data } of events) {
          const isWanted = webhook.events.includes(type) && webhook.createdAt <= new Date(at);
          if (!isWanted || !(await mayHear(webhook, groupId))) continue;
          const digest = createHash('sha256').update(`${webhook._id} ${id}`).digest('hex');
          messages.push({
            _id: new Types.ObjectId(digest.slice(0, 24)),
            webhookId: webhook._id,
            subjectId: userId,
            groupId,
            type,
            payload: JSON.stringify({ type, timestamp: at, data: { userId, groupId, ...data } }),
            createdAt,
            attempts: 0,
            dueAt: createdAt,
          });
        }
      if (messages.length === 0) return;
      await deliveries.insertMany(messages, { ordered: false }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
      wake();
    },
    async forget(userId) {
      const own = await webhooks.find({ userId }, '_id').lean();
      await deliveries.deleteMany({ webhookId: trusted({ $in: own.map(({ _id }) => _id) }) });
      await deliveries.deleteMany({ subjectId: String(userId) });
      await webhooks.deleteMany({ userId });
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}
