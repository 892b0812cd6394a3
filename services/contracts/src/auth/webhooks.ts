import { z } from 'zod';
import { idParams, objectId, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

/** Maximum number of webhooks per user. */
export const webhooksMax = 20;
/** How many deliveries a webhook's log lists. */
export const shownDeliveriesMax = 50;

/** Event types that webhooks can subscribe to. */
export const WebhookEventType = z.enum(['answer.judged', 'assignment.completed', 'member.joined']);
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** A webhook event. It carries only ids: receivers read the details from the API with a key. */
export const WebhookEvent = z.object({
  /** The deduplication id: the same occasion always has the same one. */
  id: z.string(),
  type: WebhookEventType,
  at: timestamp,
  /** The user that the event is about. */
  userId: z.string(),
  /** The group whose coaches receive the event; null for events only for admins. */
  groupId: z.string().nullable(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(WebhookEventType),
  owner: z.object({ userId: z.string(), email: z.string() }),
  createdAt: timestamp,
  /** The most recent delivery that succeeded or failed at least once; null before the first. */
  lastDelivery: z.object({ at: timestamp, succeeded: z.boolean() }).nullable(),
});
export type Webhook = z.infer<typeof Webhook>;

/** One message to one webhook. `waiting`: the next attempt is at `nextAt`; `failed`: no more retries. */
export const WebhookDelivery = z.object({
  id: z.string(),
  type: WebhookEventType,
  state: z.enum(['waiting', 'delivered', 'failed']),
  createdAt: timestamp,
  attempts: z.number().int(),
  lastAt: timestamp.nullable(),
  nextAt: timestamp.nullable(),
  /** The result of the last attempt: an HTTP status such as 200, or a reason. */
  outcome: z.string().nullable(),
  payload: z.string(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const auth = routesOf('auth');
const deliveryParams = idParams.extend({ deliveryId: objectId });

/** Webhooks for events, following the Standard Webhooks specification. */
export const webhookRoutes = {
  listWebhooks: auth.get('/api/auth/webhooks', 'signed-in', {
    summary: "One's own webhooks; all users' webhooks for admins",
    description: 'Newest first. The response does not contain their secrets.',
    result: z.object({ webhooks: z.array(Webhook) }),
  }),
  createWebhook: auth.post('/api/auth/webhooks', 'signed-in', {
    summary: 'Create a webhook',
    description: `For admins, who receive all events, and coaches, who receive those of their groups; requires a fresh sign-in. Messages are signed as in the Standard Webhooks specification; only this response contains the secret. Addresses in private networks are rejected. At most ${webhooksMax} per user.`,
    body: z.object({
      url: z
        .url({ protocol: /^https?$/, error: 'Please enter an address that begins with https://' })
        .max(2000, 'The address is too long'),
      events: z
        .array(z.enum(WebhookEventType.options, 'This event is not known'), 'Please choose at least one event')
        .min(1, 'Please choose at least one event')
        .max(WebhookEventType.options.length, 'Please choose each event once'),
    }),
    status: 201,
    result: z.object({ webhook: Webhook, secret: z.string() }),
    errorStatuses: [403, 409],
    audit: { action: 'webhook.create' },
  }),
  deleteWebhook: auth.delete('/api/auth/webhooks/:id', 'signed-in', {
    summary: 'Delete a webhook',
    description: "One's own; admins can delete anyone's. Pending deliveries are dropped.",
    params: idParams,
    errorStatuses: [404],
    audit: { action: 'webhook.delete', target: 'webhook' },
  }),
  listDeliveries: auth.get('/api/auth/webhooks/:id/deliveries', 'signed-in', {
    summary: "A webhook's deliveries",
    description: `The newest ${shownDeliveriesMax}. Deliveries are kept for 30 days.`,
    params: idParams,
    result: z.object({ deliveries: z.array(WebhookDelivery) }),
    errorStatuses: [404],
  }),
  redeliver: auth.post('/api/auth/webhooks/:id/deliveries/:deliveryId', 'signed-in', {
    summary: 'Send a message to a webhook again',
    description: 'Immediately, with the same id and a full set of retries.',
    params: deliveryParams,
    status: 202,
    result: z.object({ delivery: WebhookDelivery }),
    errorStatuses: [404],
    audit: { action: 'webhook.redeliver', target: 'webhook' },
  }),
};
