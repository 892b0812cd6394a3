import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { catchMail } from './catch-mail.ts';
import { type StartedAuth, startAuth } from './start-auth.ts';

let mail: Awaited<ReturnType<typeof catchMail>>;
let started: StartedAuth;
beforeAll(async () => {
  mail = await catchMail();
  started = await startAuth({ SMTP_URL: mail.url, PUBLIC_URL: 'https://prep.example.com/' });
});
afterAll(async () => {
  await started.stop();
  await mail.stop();
});
afterEach(() => {
  mail.mails.length = 0;
});

const choose = (token: string | undefined, body: object) => started.call('put', '/api/auth/mails', token, body);
const requestsLeft = () => started.backing.mongo.collection('reset_requests').find().toArray();
const reviewOf = (userId: string) => ({
  userId,
  recordingId: new Types.ObjectId().toHexString(),
  interviewId: '0123456789abcdef01234567',
  questionId: 1,
  reviewedAt: new Date().toISOString(),
});

test('review emails are off until a user turns them on', async () => {
  const { token } = await started.signedIn('others');
  expect((await started.call('get', '/api/auth/me', token).expect(200)).body.sendsMail).toBe(true);
  expect((await started.call('get', '/api/auth/me', token).expect(200)).body.user).not.toHaveProperty('reviewMail');
  expect((await choose(token, { reviewMail: true }).expect(200)).body.user.reviewMail).toBe(true);
  expect((await started.call('get', '/api/auth/me', token).expect(200)).body.user.reviewMail).toBe(true);
  expect((await choose(token, { reviewMail: false }).expect(200)).body.user).not.toHaveProperty('reviewMail');
  expect((await choose(token, {}).expect(400)).body.message).toBe('Please choose yes or no');
  await choose(undefined, { reviewMail: true }).expect(401);
});

test('users who turned them on get one email about a review, even if the event arrives twice', async () => {
  const { id, email, token } = await started.signedIn('others');
  await choose(token, { reviewMail: true }).expect(200);
  mail.refuse(1);
  const event = reviewOf(id);
  await started.auth.mails.announceReview(event);
  await started.auth.mails.announceReview(event);
  await expect.poll(() => mail.mails.length, { timeout: 15_000 }).toBe(1);
  await expect.poll(requestsLeft, { timeout: 5000 }).toEqual([]);
  const [sent] = mail.mails;
  expect(sent).toMatchObject({ to: [{ address: email }], subject: 'A reviewer has scored your answer' });
  const link = 'https://prep.example.com/interviews/0123456789abcdef01234567#question-2';
  expect(sent?.text).toContain(link);
  expect(sent?.html).toContain(`href="${link}"`);
});

test('others get none: users who never turned them on, turned them off, or are deleted', async () => {
  const quiet = await started.signedIn('others');
  await started.auth.mails.announceReview(reviewOf(quiet.id));
  expect(await requestsLeft()).toEqual([]);

  const gone = new Types.ObjectId().toHexString();
  await started.auth.mails.announceReview(reviewOf(gone));
  expect(await requestsLeft()).toEqual([]);

  const changed = await started.signedIn('others');
  await choose(changed.token, { reviewMail: true }).expect(200);
  // The first attempt fails, and the user opts out before the next one.
  mail.refuse(1);
  await started.auth.mails.announceReview(reviewOf(changed.id));
  await choose(changed.token, { reviewMail: false }).expect(200);
  await expect.poll(requestsLeft, { timeout: 15_000 }).toEqual([]);
  expect(mail.mails).toEqual([]);
});

test("admins and the group's coaches who turned them on get one email about the appeals of five minutes; others get none", async () => {
  const candidate = await started.signedIn('others');
  await choose(candidate.token, { appealMail: true }).expect(403);
  const [admin, demoted, silent] = await Promise.all([
    started.signedIn('admin'),
    started.signedIn('admin'),
    started.signedIn('admin'),
  ]);
  for (const { token } of [admin, demoted])
    expect((await choose(token, { appealMail: true }).expect(200)).body.user.appealMail).toBe(true);
  await choose(silent.token, { reviewMail: true }).expect(200);
  const [coach, other, former] = await Promise.all([
    started.signedIn('others'),
    started.signedIn('others'),
    started.signedIn('others'),
  ]);
  const [groupId] = await Promise.all(
    [[coach, former], [other]].map(async (coaches) => {
      const { body } = await started.call('post', '/api/groups', admin.token, { name: 'Class' }).expect(201);
      for (const { id } of coaches)
        await started
          .call('put', `/api/groups/${body.group.id}/people/${id}`, admin.token, { role: 'coach' })
          .expect(200);
      return String(body.group.id);
    }),
  );
  for (const { token } of [coach, other, former]) await choose(token, { appealMail: true }).expect(200);
  await started.auth.mails.announceAppeal(groupId);
  await started.auth.mails.announceAppeal();
  // The ids are the readers', so that one of two concurrent upserts collides on a real MongoDB.
  expect((await requestsLeft()).map(({ _id }) => String(_id)).toSorted()).toEqual(
    [admin.id, demoted.id, coach.id, former.id].toSorted(),
  );
  await started.call('put', `/api/groups/${groupId}/people/${former.id}`, admin.token, { role: 'member' }).expect(200);
  await started.auth.users.updateOne({ _id: demoted.id }, { $set: { role: 'dev' } });
  // As if five minutes had passed.
  await started.backing.mongo.collection('reset_requests').updateMany({}, { $set: { dueAt: new Date() } });
  // Any new request wakes the outbox, which otherwise polls only now and then.
  await started.auth.mails.requestPasswordLink('nobody@example.com');
  await expect.poll(requestsLeft, { timeout: 15_000 }).toEqual([]);
  expect(mail.mails.map(({ subject }) => subject)).toEqual(Array(2).fill('An answer is waiting for your review'));
  expect(mail.mails.map(({ to }) => to?.[0]?.address).toSorted()).toEqual([admin.email, coach.email].toSorted());
  expect(mail.mails[0]?.text).toContain('https://prep.example.com/admin/appeals');
});
