import type { TestUser } from '@interview-prep/kit/testing/identity';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endShares } from '../src/shares/links-after-reset.ts';
import { addSession } from './setup/add-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
let owner: TestUser;
beforeAll(async () => {
  service = await startRecording();
  owner = await service.identity.user('others');
});
afterAll(() => service.close());

const links = (ticket: string) => request(service.server).post('/api/shares/after-reset').send({ ticket });
async function share(user: TestUser): Promise<string> {
  const session = await addSession(service, user);
  const { body } = await request(service.server)
    .post(`/api/sessions/${session._id}/shares`)
    .set('Authorization', user.authorization)
    .send({})
    .expect(201);
  return body.token;
}
const read = async (token: string) => (await request(service.server).post('/api/shared').send({ token })).status;

test("a reset ticket can list its user's links, without their tokens; nothing else can", async () => {
  await share(await service.identity.user('others'));
  const token = await share(owner);
  const { body, text } = await links(service.identity.resetTicket(owner.id)).expect(200);
  expect(body.links).toEqual([
    { title: expect.any(String), role: 'read', createdAt: expect.any(String), expiresAt: expect.any(String) },
  ]);
  expect(text).not.toContain(token);
  await links(service.identity.resetTicket(owner.id, -60)).expect(400);
  await links(owner.token).expect(400);
  await links('unknown').expect(400);
  const ticket = service.identity.resetTicket(owner.id);
  await request(service.server).post('/api/recordings/export').set('Authorization', `Bearer ${ticket}`).expect(401);
});

test('removing other access ends the links that a user created before, but not later ones or those of others', async () => {
  const user = await service.identity.user('others');
  const [before, others] = [await share(user), await share(owner)];
  const sharesEndedAt = new Date().toISOString();
  const snapshot = { userId: user.id, email: user.email, role: 'others', lastLogin: null, deletedAt: null } as const;
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(sharesEndedAt));
  const after = await share(user);
  // A later sign-in publishes the same time again.
  for (const revision of [1, 2]) await endShares({ ...snapshot, sharesEndedAt, revision }, service.models);
  await endShares({ ...snapshot, revision: 3 }, service.models);
  expect([await read(before), await read(after), await read(others)]).toEqual([404, 200, 200]);
});
