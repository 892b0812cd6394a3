import type { AssignmentMail } from '@interview-prep/contracts/recording/assignments';
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
afterEach(async () => {
  mail.mails.length = 0;
  await requests().deleteMany({});
});

const requests = () => started.backing.mongo.collection('reset_requests');
const unsent = () => requests().countDocuments({ dueAt: { $exists: true } });
const subjects = () => mail.mails.map(({ subject }) => subject);
const newsOf = (userIds: string[], changes: Partial<AssignmentMail> = {}): AssignmentMail => ({
  about: 'due',
  at: new Date().toISOString(),
  assignmentId: new Types.ObjectId().toHexString(),
  title: 'Week <1>',
  dueAt: '2026-12-01T17:00:00.000Z',
  timeZone: 'Europe/Berlin',
  changes: [],
  userIds,
  ...changes,
});

test('each member gets one email, however often the work is announced, also by two processes at once', async () => {
  const [first, second] = await Promise.all([started.signedIn('others'), started.signedIn('dev')]);
  const event = newsOf([first.id, second.id]);
  mail.refuse(1);
  await Promise.all([started.auth.mails.announceAssignment(event), started.auth.mails.announceAssignment(event)]);
  await expect.poll(unsent, { timeout: 15_000 }).toBe(0);
  await started.auth.mails.announceAssignment(event);
  await started.auth.mails.requestPasswordLink(first.email);
  await expect.poll(subjects, { timeout: 15_000 }).toContain('Reset your password');
  expect(subjects().filter((subject) => subject === 'Due soon: “Week <1>”')).toHaveLength(2);
  const [sent] = mail.mails;
  expect(sent?.text).toContain('Tuesday, December 1, 2026 at 6:00 PM (Europe/Berlin)');
  expect(sent?.text).toContain('https://prep.example.com/');
  expect(sent?.html).toContain('“Week &lt;1&gt;”');
});

test('members who turned these emails off, or are suspended, get none; they are on by default', async () => {
  const [off, suspended, on] = await Promise.all([
    started.signedIn('others'),
    started.signedIn('others'),
    started.signedIn('others'),
  ]);
  const choose = (body: object) => started.call('put', '/api/auth/mails', off.token, body);
  expect((await choose({ assignmentMail: false }).expect(200)).body.user.assignmentMail).toBe(false);
  await started.auth.users.updateOne({ _id: suspended.id }, { $set: { suspendedAt: new Date() } });
  await started.auth.mails.announceAssignment(newsOf([off, suspended, on].map(({ id }) => id)));
  await expect.poll(unsent, { timeout: 15_000 }).toBe(0);
  expect(mail.mails.map(({ to }) => to?.[0]?.address)).toEqual([on.email]);
  expect((await choose({ assignmentMail: true }).expect(200)).body.user).not.toHaveProperty('assignmentMail');
});

test('changes within five minutes are sent in one email; a withdrawal replaces what was not sent', async () => {
  const { id } = await started.signedIn('others');
  const first = newsOf([id], { about: 'changed', changes: ['takes'] });
  await started.auth.mails.announceAssignment(first);
  const at = new Date(Date.now() + 1).toISOString();
  await started.auth.mails.announceAssignment({ ...first, at, changes: ['dueAt', 'takes'] });
  expect(await unsent()).toBe(1);
  await requests().updateMany({}, { $set: { dueAt: new Date() } });
  // Any new request wakes the outbox, which otherwise polls only now and then.
  await started.auth.mails.requestPasswordLink('nobody@example.com');
  await expect.poll(subjects, { timeout: 15_000 }).toEqual(['Changed: “Week <1>”']);
  expect(mail.mails[0]?.text).toContain('due date and number of takes');

  const next = newsOf([id], { about: 'changed', changes: ['title'] });
  await started.auth.mails.announceAssignment(next);
  await started.auth.mails.announceAssignment({
    ...next,
    about: 'withdrawn',
    at: new Date(Date.now() + 1).toISOString(),
  });
  await expect.poll(unsent, { timeout: 15_000 }).toBe(0);
  expect(subjects()).toEqual(['Changed: “Week <1>”', 'Withdrawn: “Week <1>”']);
});

test('a deleted user leaves no email behind', async () => {
  const { id, token } = await started.signedIn('others');
  await started.auth.mails.announceAssignment(newsOf([id], { about: 'changed', changes: ['takes'] }));
  await started.call('post', '/api/auth/delete-account', token, { password: 'correct horse battery' }).expect(204);
  expect(await requests().countDocuments({})).toBe(0);
});

test('a reminder lists what is not done, and after the due date says that it can still be taken', async () => {
  const { id } = await started.signedIn('others');
  await started.auth.mails.announceAssignment(newsOf([id], { about: 'reminder', at: '2026-11-20T10:00:00.000Z' }));
  await started.auth.mails.announceAssignment(newsOf([id], { about: 'reminder', at: '2026-12-02T10:00:00.000Z' }));
  await expect.poll(subjects, { timeout: 15_000 }).toEqual(Array(2).fill('Reminder: “Week <1>”'));
  const [before, after] = mail.mails.map(({ text }) => text);
  expect(before).toContain('not finished yet. It is due on Tuesday');
  expect(after).toContain('You can still take it.');
});

test("a change for one member leaves another member's pending email unchanged", async () => {
  const [one, other] = await Promise.all([started.signedIn('others'), started.signedIn('others')]);
  const change = newsOf([one.id, other.id], { about: 'changed', changes: ['takes'] });
  await started.auth.mails.announceAssignment(change);
  const at = new Date(Date.now() + 1).toISOString();
  await started.auth.mails.announceAssignment({ ...change, at, changes: ['dueAt', 'takes'], userIds: [one.id] });
  const waiting = await requests().find().toArray();
  expect(waiting.map(({ email, assignment }) => [email, assignment.changes]).toSorted()).toEqual(
    [
      [one.email, ['dueAt', 'takes']],
      [other.email, ['takes']],
    ].toSorted(),
  );
});
