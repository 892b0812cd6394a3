import { createHash } from 'node:crypto';
import type { WebhookEvent } from '@interview-prep/contracts/auth/webhooks';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Logger } from '@interview-prep/kit/process/logger';
import { Types, trusted } from 'mongoose';
import { Webhook as Signer } from 'standardwebhooks';
import { type DeliveryAttempt, deliverDue } from '../outbound/deliver-due.ts';
import { OutboundFailure, type OutboundNetworks, requestOutbound } from '../outbound/outbound-request.ts';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import type { UserModel } from '../users/model.ts';
import type { DeliveryModel, StoredDelivery, StoredWebhook, WebhookModel } from './model.ts';

/** The `purpose` that webhook secrets are sealed for. */
export const webhookSecretPurpose = 'webhook secret';

/** Notifies other systems of events. */
export interface Webhooks {
  webhooks: WebhookModel;
  deliveries: DeliveryModel;
  networks: OutboundNetworks;
  /** Stores a message about each event for each webhook subscribed to it. A repeated event is stored once. */
  announce(...events: WebhookEvent[]): Promise<void>;
  /** Checks for due messages now, without waiting for the next poll. */
  wake(): void;
  /** Deletes a user's webhooks and their messages. */
  forget(userId: Types.ObjectId): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the webhooks, and sends due messages in the background. */
export function openWebhooks(deps: {
  models: { webhooks: WebhookModel; deliveries: DeliveryModel };
  users: UserModel;
  isCoach(userId: string, groupId: string): Promise<boolean>;
  secrets: SealedSecrets;
  networks: OutboundNetworks;
  log: Logger;
}): Webhooks {
  const { users, isCoach, secrets, networks, log } = deps;
  const { webhooks, deliveries } = deps.models;

  /** Whether a webhook's owner may currently be notified about this group's event. */
  const mayHear = async ({ userId }: StoredWebhook, groupId: string | null) => {
    const owner = await users.findOne({ _id: userId, deletedAt: null, suspendedAt: null }, 'role').lean();
    return owner !== null && (owner.role === 'admin' || (groupId !== null && (await isCoach(String(userId), groupId))));
  };

  const { wake, stop } = deliverDue(
    deliveries,
    async ({ _id, webhookId, groupId, type, payload, attempts }) => {
      const webhook = await webhooks.findById(webhookId).lean();
      if (!webhook || !(await mayHear(webhook, groupId))) return null;
      const secret = secrets.open(webhook.secret, webhookSecretPurpose);
      const attempt = await sendWebhook({ id: `msg_${_id}`, url: webhook.url, secret, payload }, networks);
      log.info({ webhook: webhookId, type, attempts, ...attempt }, 'webhook sent');
      return attempt;
    },
    log,
  );

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
    stop,
  };
}

/**
 * Sends a signed message. The response body is not read. Source: the Standard Webhooks specification.
 * @returns whether the receiver accepted it (status 200 to 299), and the status or the reason why there is none
 */
export async function sendWebhook(
  message: { id: string; url: string; secret: string; payload: string },
  networks: OutboundNetworks,
): Promise<DeliveryAttempt> {
  const { id, url, secret, payload } = message;
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': Math.floor(now.getTime() / 1000),
    'webhook-signature': new Signer(secret).sign(id, now, payload),
  };
  try {
    const { status } = await requestOutbound(url, { method: 'POST', headers, body: payload, networks });
    // 410 Gone: the receiver doesn't want any more messages.
    return { succeeded: status >= 200 && status < 300, outcome: String(status), isFinal: status === 410 };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { succeeded: false, outcome: error.message };
  }
}
