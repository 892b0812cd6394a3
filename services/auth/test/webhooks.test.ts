import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import type { WebhookEvent } from '@interview-prep/contracts/auth/webhooks';
import { Types } from 'mongoose';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendWebhook } from '../src/webhooks/webhooks.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
let admin: SignedInUser;
let coach: SignedInUser;
let groupId: string;
let received: { headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
const receiver = createServer(async (req, res) => {
  received.push({ headers: req.headers, body: await text(req) });
  res.writeHead(status, { location: '/elsewhere' }).end('ok');
});
let url: string;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  started = await startAuth();
  [admin, coach] = await Promise.all([started.signedIn('admin'), started.signedIn('others')]);
  groupId = (await started.call('post', '/api/groups', admin.token, { name: 'Class' }).expect(201)).body.group.id;
  await setRole(coach.id, 'coach');
});
afterAll(async () => {
  await started.stop();
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(async () => {
  received = [];
  status = 200;
  await started.auth.webhooks.webhooks.deleteMany({});
  await started.auth.webhooks.deliveries.deleteMany({});
});

const setRole = (userId: string, role: string) =>
  started.call('put', `/api/groups/${groupId}/people/${userId}`, admin.token, { role }).expect(200);
const create = (user: SignedInUser, changes: object = {}) =>
  started.call('post', '/api/auth/webhooks', user.token, {
    url,
    events: ['answer.judged', 'assignment.completed', 'member.joined'],
    ...changes,
  });
const deliveriesOf = async (id: string, user = admin) =>
  (await started.call('get', `/api/auth/webhooks/${id}/deliveries`, user.token).expect(200)).body.deliveries;
const judged = (changes: Partial<WebhookEvent> = {}): WebhookEvent => ({
  id: `judged ${new Types.ObjectId()} 1 0`,
  type: 'answer.judged',
  at: new Date(Date.now() + 1000).toISOString(),
  userId: 'a member',
  groupId: null,
  data: { correctnessPercentage: 82 },
  ...changes,
});

test('messages are signed as in the Standard Webhooks specification, and sent once, however often the event arrives', async () => {
  const { webhook, secret } = (await create(admin).expect(201)).body;
  const event = judged();
  await Promise.all([started.auth.webhooks.announce(event), started.auth.webhooks.announce(event)]);
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1);
  const [message] = received;
  const verified = new Verifier(secret).verify(message?.body ?? '', message?.headers as Record<string, string>);
  expect(verified).toEqual({
    type: 'answer.judged',
    timestamp: event.at,
    data: { userId: 'a member', groupId: null, correctnessPercentage: 82 },
  });
  const altered = (message?.body ?? '').replace('82', '83');
  expect(() => new Verifier(secret).verify(altered, message?.headers as Record<string, string>)).toThrow();
  await expect.poll(async () => (await deliveriesOf(webhook.id))[0]?.state).toBe('delivered');
  await started.auth.webhooks.announce(event);
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ attempts: 1, outcome: '200', nextAt: null }]);
  const [listed] = (await started.call('get', '/api/auth/webhooks', admin.token).expect(200)).body.webhooks;
  expect(listed).toMatchObject({ url, lastDelivery: { succeeded: true } });
  expect(JSON.stringify(listed)).not.toContain(secret);
});

test('coaches hear only of groups that they still coach; admins hear of everything', async () => {
  const { webhook } = (await create(coach).expect(201)).body;
  const own = judged({ groupId });
  await started.auth.webhooks.announce(own, judged(), judged({ groupId: new Types.ObjectId().toHexString() }));
  await expect.poll(async () => (await deliveriesOf(webhook.id, coach)).length).toBe(1);
  const suspended = await started.signedIn('admin');
  await create(suspended).expect(201);
  await started.auth.users.updateOne({ _id: suspended.id }, { $set: { suspendedAt: new Date() } });
  const second = judged({ groupId });
  await setRole(coach.id, 'member');
  await started.auth.webhooks.announce(second);
  expect(await started.auth.webhooks.deliveries.countDocuments({})).toBe(1);
  await setRole(coach.id, 'coach');
});

test('a new member of a group is announced once, even if the group changes again', async () => {
  await create(coach).expect(201);
  const member = await started.signedIn('others');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await setRole(member.id, 'member');
  await started.call('put', `/api/groups/${groupId}`, coach.token, { name: 'Renamed', archived: false }).expect(200);
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1);
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    type: 'member.joined',
    data: { userId: member.id, groupId },
  });
});

test('a failed message is retried at growing intervals, given up in the end, and can be sent again manually', async () => {
  status = 302;
  const { webhook } = (await create(admin).expect(201)).body;
  await started.auth.webhooks.announce(judged());
  await expect.poll(async () => (await deliveriesOf(webhook.id))[0]?.outcome, { timeout: 10_000 }).toBe('302');
  const { deliveries } = started.auth.webhooks;
  const pauses: number[] = [];
  for (let attempt = 1; attempt < 10; attempt += 1) {
    const { dueAt, lastAt } = (await deliveries.findOne().orFail().lean()) as { dueAt: Date; lastAt: Date };
    pauses.push((Number(dueAt) - Number(lastAt)) / 1000);
    await deliveries.updateOne({}, { $set: { dueAt: new Date() } });
    started.auth.webhooks.wake();
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(attempt + 1);
    await expect
      .poll(async () => (await deliveries.findOne().orFail().lean()).lastAt, { timeout: 10_000 })
      .not.toEqual(lastAt);
  }
  expect(pauses).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  const [given] = await deliveriesOf(webhook.id);
  expect(given).toMatchObject({ state: 'failed', attempts: 10 });
  status = 204;
  const again = `/api/auth/webhooks/${webhook.id}/deliveries/${given.id}`;
  await started.call('post', again, coach.token).expect(404);
  await started.call('post', again, admin.token).expect(202);
  await expect.poll(async () => (await deliveriesOf(webhook.id))[0]?.state, { timeout: 10_000 }).toBe('delivered');
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('deleting a webhook, its owner, or the person that messages are about deletes all data about them', async () => {
  const { webhooks, deliveries } = started.auth.webhooks;
  const owner = await started.signedIn('admin');
  const subject = await started.signedIn('others');
  const [{ body: mine }, { body: others }] = [await create(owner).expect(201), await create(admin).expect(201)];
  await started.auth.webhooks.announce(judged({ userId: subject.id }));
  await started.call('delete', `/api/auth/webhooks/${others.webhook.id}`, coach.token).expect(404);
  await started.call('post', '/api/auth/delete-account', subject.token, { password }).expect(204);
  expect(await deliveries.countDocuments({ subjectId: subject.id })).toBe(0);
  await started.auth.webhooks.announce(judged());
  await started.call('post', '/api/auth/delete-account', owner.token, { password }).expect(204);
  expect(await webhooks.countDocuments({ _id: mine.webhook.id })).toBe(0);
  expect(await deliveries.countDocuments({ webhookId: mine.webhook.id })).toBe(0);
  await started.call('delete', `/api/auth/webhooks/${others.webhook.id}`, admin.token).expect(204);
  expect(await deliveries.countDocuments({})).toBe(0);
});

test('private networks are refused: as addresses in any notation, as names, and when a name resolves differently later', async () => {
  const strict = await startAuth({ WEBHOOK_NETWORKS: 'public' });
  const { token } = await strict.signedIn('admin');
  const refused = async (address: string) => {
    const body = { url: address, events: ['answer.judged'] };
    return (await strict.call('post', '/api/auth/webhooks', token, body).expect(400)).body.details[0];
  };
  for (const host of [
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '10.1.2.3',
    '169.254.169.254',
    '192.168.1.1',
    '0.0.0.0',
    '100.64.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    'localhost',
  ])
    expect(await refused(`https://${host}/`), host).toEqual({
      path: 'url',
      message: 'This address is in a private network',
    });
  expect((await refused('http://example.com/')).message).toContain('https://');
  expect((await refused('https://user:secret@example.com/')).message).toContain('user');
  await strict.stop();
  // A name that resolved to a public address when the webhook was created, but now to this machine: no connection is made.
  const message = { id: 'msg_1', secret: `whsec_${Buffer.alloc(32).toString('base64')}`, payload: '{}' };
  const sent = await sendWebhook({ ...message, url: url.replace('http://127.0.0.1', 'https://localhost') }, 'public');
  expect(sent).toEqual({ succeeded: false, outcome: 'This address is in a private network' });
  expect(received).toEqual([]);
});

test('only those permitted can create webhooks, with valid input', async () => {
  const nobody = await started.signedIn('others');
  await create(nobody).expect(403);
  await started.call('post', '/api/auth/webhooks', undefined, {}).expect(401);
  for (const bad of [{ url: 'ftp://example.com' }, { url: 'x' }, { events: [] }, { events: ['everything'] }])
    await create(coach, bad).expect(400);
});
