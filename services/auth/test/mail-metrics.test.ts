import { createTestBacking } from '@interview-prep/kit/testing/backing';
import { Registry } from '@prometheus-io/client';
import { expect, onTestFinished, test } from 'vitest';
import { groupModels } from '../src/groups/model.ts';
import { openMailOutbox } from '../src/mails/mail-outbox.ts';
import { mailRequestModel } from '../src/mails/mail-requests.ts';
import { createMailer } from '../src/mails/mailer.ts';
import { userModel } from '../src/users/model.ts';
import { catchMail } from './catch-mail.ts';

test('email metrics count sent and failed emails, and the age of the oldest waiting one', async () => {
  const backing = await createTestBacking('auth');
  onTestFinished(() => backing.close());
  const server = await catchMail();
  onTestFinished(() => server.stop());
  const [users, requests] = [userModel(backing.mongo), mailRequestModel(backing.mongo)];
  const email = 'ada@example.com';
  await users.create({ email, passwordHash: 'x', role: 'others', technologies: [] });
  server.refuse(1);
  const mailer = createMailer(server.url, 'no-reply@example.com');
  const groups = groupModels(backing.mongo);
  const outbox = openMailOutbox({
    users,
    groups,
    isCoach: async () => false,
    requests,
    mailer,
    publicUrl: 'http://localhost',
    log: backing.log,
  });
  onTestFinished(() => outbox.stop());
  const registry = new Registry();
  outbox.registerMetrics(registry);
  const read = async (name: string) => {
    const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  };

  await outbox.requestPasswordLink(email);
  await expect.poll(() => read('mail_failures_total')).toBe(1);
  await requests.updateOne({ email }, { $set: { requestedAt: new Date(Date.now() - 30_000) } });
  expect(await read('mail_oldest_waiting_age_seconds')).toBeGreaterThanOrEqual(30);
  expect(await read('mail_sent_total')).toBe(0);
  await expect.poll(() => read('mail_sent_total'), { timeout: 20_000 }).toBe(1);
  expect(await read('mail_oldest_waiting_age_seconds')).toBe(0);
}, 40_000);
