import type { WebhookEventType } from '@interview-prep/contracts/auth/webhooks';
import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { Deliverable } from '../outbound/deliver-due.ts';

/** A user's webhook, to which messages about events are sent. */
export interface StoredWebhook {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  url: string;
  events: WebhookEventType[];
  /** Signs messages: `whsec_` and base64. Shared with the receiver. */
  secret: string;
  createdAt: Date;
}

/** A message to one webhook, stored before it is sent. */
export interface StoredDelivery extends Deliverable {
  /** Derived from the webhook and the event, so that a repeated event is sent once. */
  _id: Types.ObjectId;
  webhookId: Types.ObjectId;
  /** The user it is about, and the group whose coaches may be notified. */
  subjectId: string;
  groupId: string | null;
  type: WebhookEventType;
  payload: string;
  createdAt: Date;
}

export type WebhookModel = Model<StoredWebhook>;
export type DeliveryModel = Model<StoredDelivery>;

const keptSeconds = 30 * 24 * 60 * 60;

const webhookSchema = new Schema<StoredWebhook>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    url: { type: String, required: true },
    events: { type: [String], required: true },
    secret: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'webhooks', versionKey: false },
);
webhookSchema.index({ userId: 1 });
webhookSchema.index({ events: 1 });

const deliverySchema = new Schema<StoredDelivery>(
  {
    webhookId: { type: Schema.Types.ObjectId, required: true },
    subjectId: { type: String, required: true },
    groupId: { type: String, default: null },
    type: { type: String, required: true },
    payload: { type: String, required: true },
    createdAt: { type: Date, required: true },
    attempts: { type: Number, required: true, default: 0 },
    dueAt: { type: Date },
    lastAt: { type: Date },
    outcome: { type: String },
    deliveredAt: { type: Date },
  },
  { collection: 'webhook_deliveries', versionKey: false },
);
deliverySchema.index({ dueAt: 1 }, { sparse: true });
deliverySchema.index({ webhookId: 1, createdAt: -1 });
deliverySchema.index({ subjectId: 1 });
deliverySchema.index({ createdAt: 1 }, { expireAfterSeconds: keptSeconds });

export function webhookModels(connection: Connection): { webhooks: WebhookModel; deliveries: DeliveryModel } {
  return {
    webhooks: connection.model<StoredWebhook>('Webhook', webhookSchema),
    deliveries: connection.model<StoredDelivery>('WebhookDelivery', deliverySchema),
  };
}
