import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { startServiceProcess } from '@interview-prep/kit/testing/service-process';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkMailServer, warnOfCaughtMail } from '../src/mails/mailer.ts';

let backing: TestBacking;
let server: SMTPServer;
let refusal = 535;
const urlFor = (user: string) => `smtp://${user}127.0.0.1:${(server.server.address() as AddressInfo).port}`;
beforeAll(async () => {
  backing = await createTestBacking('auth');
  server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, done) {
      if (username === 'mail' && password === 'right') done(null, { user: username });
      else done(Object.assign(new Error('the password is wrong'), { responseCode: refusal }));
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
});
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await backing.close();
});

test('auth refuses to start with a password that the mail server rejects, and names the setting', async () => {
  const auth = startServiceProcess(new URL('../src/main.ts', import.meta.url), {
    ...backing.settings,
    PORT: '0',
    SMTP_URL: urlFor('mail:wrong@'),
  });
  onTestFinished(() => auth.stop('SIGKILL'));
  expect(await auth.ended).toBe(1);
  expect(auth.errors()).toMatch(
    /Invalid settings:\n {2}SMTP_URL: the server refuses the sign-in: .*the password is wrong/,
  );
});

test('auth starts with a mail server that accepts the password, is down, or refuses temporarily', async () => {
  await checkMailServer(urlFor('mail:right@'), backing.log);
  await checkMailServer('smtp://127.0.0.1:9', backing.log);
  refusal = 454;
  await checkMailServer(urlFor('mail:wrong@'), backing.log);
  refusal = 535;
  await expect(checkMailServer(urlFor('mail:wrong@'), backing.log)).rejects.toMatchObject({ setting: 'SMTP_URL' });
});

test.each([
  ['none', 'smtp://mailpit:1025', true],
  ['demo', 'smtp://mailpit:1025', false],
  ['none', 'smtps://user:password@mail.example.com', false],
] as const)('with SEED=%s and %s the log warns about caught emails: %s', (SEED, SMTP_URL, warns) => {
  const lines: unknown[] = [];
  warnOfCaughtMail({ SEED, SMTP_URL }, { warn: (line: unknown) => lines.push(line) });
  expect(lines).toEqual(warns ? [expect.stringContaining('Set SMTP_URL')] : []);
});
