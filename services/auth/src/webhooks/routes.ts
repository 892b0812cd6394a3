import { randomBytes } from 'node:crypto';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import {
  shownDeliveriesMax,
  type Webhook,
  type WebhookDelivery,
  webhookRoutes,
  webhooksMax,
} from '@interview-prep/contracts/auth/webhooks';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { conflict, forbidden, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { deliveryState } from '../outbound/deliver-due.ts';
import { requirePublic } from '../outbound/outbound-request.ts';
import { requireUser } from '../users/find-user.ts';
import type { StoredDelivery, StoredWebhook } from './model.ts';
import { webhookSecretPurpose } from './webhooks.ts';

const presentDelivery = (stored: StoredDelivery): WebhookDelivery => ({
  id: String(stored._id),
  type: stored.type,
  state: deliveryState(stored),
  createdAt: stored.createdAt.toISOString(),
  attempts: stored.attempts,
  lastAt: stored.lastAt?.toISOString() ?? null,
  nextAt: stored.dueAt?.toISOString() ?? null,
  outcome: stored.outcome ?? null,
  payload: stored.payload,
});

export function serveWebhooks(server: RouteServer, auth: Auth): void {
  const { users, requireFreshSignIn, secrets } = auth;
  const { webhooks, deliveries, networks, wake } = auth.webhooks;

  const present = async (stored: StoredWebhook, email: string): Promise<Webhook> => {
    const last = await deliveries
      .findOne({ webhookId: stored._id, lastAt: trusted({ $exists: true }) })
      .sort({ createdAt: -1 })
      .lean();
    return {
      id: String(stored._id),
      url: stored.url,
      events: stored.events,
      owner: { userId: String(stored.userId), email },
      createdAt: stored.createdAt.toISOString(),
      lastDelivery: last?.lastAt ? { at: last.lastAt.toISOString(), succeeded: last.deliveredAt !== undefined } : null,
    };
  };
  const requireOwn = async (id: string, { sub, role }: TokenClaims) => {
    const found = await webhooks.findOne({ _id: id, ...(role === 'admin' ? {} : { userId: sub }) }).lean();
    if (!found) throw notFound('Webhook not found');
    return found;
  };

  server.serve(webhookRoutes.listWebhooks, async ({ user: { sub, role } }) => {
    const found = await webhooks
      .find(role === 'admin' ? {} : { userId: sub })
      .sort({ createdAt: -1 })
      .lean();
    const owners = await users.find({ _id: trusted({ $in: found.map(({ userId }) => userId) }) }, 'email').lean();
    const emails = new Map(owners.map(({ _id, email }) => [String(_id), email]));
    return { webhooks: await Promise.all(found.map((one) => present(one, emails.get(String(one.userId)) ?? ''))) };
  });

  server.serve(webhookRoutes.createWebhook, async ({ body: { url, events }, user, res }) => {
    requireFreshSignIn(user);
    const { _id: userId, email, role } = await requireUser(users, user.sub);
    if (role !== 'admin' && !(await auth.groups.isCoach(user.sub)))
      throw forbidden('Webhooks are for admins and coaches');
    await requirePublic(url, 'url', networks);
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const created = await webhooks.create({
      userId,
      url,
      events: [...new Set(events)],
      secret: secrets.seal(secret, webhookSecretPurpose),
      createdAt: new Date(),
    });
    // Count after the insert, so that concurrent requests can't exceed the limit.
    if ((await webhooks.countDocuments({ userId })) > webhooksMax) {
      await webhooks.deleteOne({ _id: created._id });
      throw conflict(`You have ${webhooksMax} webhooks. Delete one first.`);
    }
    addToAudit(res, { target: `webhook:${created._id}`, details: { host: new URL(url).host.slice(0, 200) } });
    return { webhook: await present(created.toObject(), email), secret };
  });

  server.serve(webhookRoutes.deleteWebhook, async ({ params, user }) => {
    const { _id } = await requireOwn(params.id, user);
    await webhooks.deleteOne({ _id });
    await deliveries.deleteMany({ webhookId: _id });
    return null;
  });

  server.serve(webhookRoutes.listDeliveries, async ({ params, user }) => {
    const { _id: webhookId } = await requireOwn(params.id, user);
    const found = await deliveries.find({ webhookId }).sort({ createdAt: -1 }).limit(shownDeliveriesMax).lean();
    return { deliveries: found.map(presentDelivery) };
  });

  server.serve(webhookRoutes.redeliver, async ({ params, user }) => {
    const { _id: webhookId } = await requireOwn(params.id, user);
    const delivery = await deliveries
      .findOneAndUpdate(
        { _id: params.deliveryId, webhookId },
        { $set: { dueAt: new Date(), attempts: 0 }, $unset: { deliveredAt: 1 } },
        { returnDocument: 'after' },
      )
      .lean();
    if (!delivery) throw notFound('Delivery not found');
    wake();
    return { delivery: presentDelivery(delivery) };
  });
}
