import { request } from 'node:http';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { expect, onTestFinished, test } from 'vitest';
import { CaughtMail, type CaughtMessage } from '../src/caught-mail.ts';
import { startMailCatcher } from '../src/mail-catcher.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function start(folder: string) {
  const catcher = await startMailCatcher(folder, 'secret-path');
  const transport = createTransport(catcher.smtpUrl);
  const messages = async (): Promise<CaughtMessage[]> =>
    (await (await fetch(`${catcher.url}messages`)).json()) as CaughtMessage[];
  const stop = async (): Promise<void> => {
    transport.close();
    await catcher.close();
  };
  return { ...catcher, transport, messages, stop };
}

test('caught emails can be read, newest first, and after a restart', async () => {
  const folder = join(await temporaryFolder(), 'mail');
  const first = await start(folder);
  const link = 'http://127.0.0.1:8080/reset-password#token=a.b-c_d&x=1';
  await first.transport.sendMail({
    from: 'Interview Prep <no-reply@example.com>',
    to: ['candidate@example.com', 'dev@example.com'],
    subject: 'Reset your password – ünïcödé',
    text: `Open (${link}) now.\nGrüße`,
  });
  await first.transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'second', text: 'later' });
  await first.stop();

  const second = await start(folder);
  onTestFinished(second.stop);
  const messages = await second.messages();
  expect(messages.map(({ subject }) => subject)).toEqual(['second', 'Reset your password – ünïcödé']);
  expect(messages[1]).toMatchObject({
    from: 'no-reply@example.com',
    to: ['candidate@example.com', 'dev@example.com'],
    links: [link],
    html: '',
  });
  expect(messages[1]?.text.trim()).toBe(`Open (${link}) now.\nGrüße`);
  expect(Date.parse(messages[1]?.caughtAt ?? '')).toBeLessThanOrEqual(Date.now());
  const page = await (await fetch(second.url)).text();
  expect(page).toContain(`<a href="${link.replace('&', '&amp;')}"`);
});

test('emails to one address can be erased, without touching others', async () => {
  const started = await start(join(await temporaryFolder(), 'mail'));
  onTestFinished(started.stop);
  for (const to of ['gone@example.com', 'stays@example.com', 'Gone@Example.com'])
    await started.transport.sendMail({ from: 'a@example.com', to, subject: to, text: 'text' });
  await started.erase('gone@example.com');
  expect((await started.messages()).map(({ to }) => to)).toEqual([['stays@example.com']]);
});

test('an email cannot inject markup or scripts into the page', async () => {
  const catcher = await start(join(await temporaryFolder(), 'mail'));
  onTestFinished(catcher.stop);
  const attack = `<img src=x onerror=alert(1)>"'&`;
  await catcher.transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: attack, text: attack });
  await catcher.transport.sendMail({
    from: 'a@example.com',
    to: 'b@example.com',
    subject: 'html',
    html: `<b>${attack}</b>`,
  });
  const response = await fetch(catcher.url);
  const page = await response.text();
  expect(page).not.toContain('<img');
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(page).toContain('<iframe sandbox="allow-popups allow-popups-to-escape-sandbox"');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('the page is served only under a loopback name', async () => {
  const catcher = await start(join(await temporaryFolder(), 'mail'));
  onTestFinished(catcher.stop);
  const statusFor = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${catcher.url}messages`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once('error', reject)
        .end();
    });
  expect(await statusFor(new URL(catcher.url).host)).toBe(200);
  expect(await statusFor('localhost:1234')).toBe(200);
  expect(await statusFor('rebound.example')).toBe(403);
  expect((await fetch(`${catcher.url}messages`, { method: 'DELETE' })).status).toBe(405);
  expect((await fetch(`${catcher.url}../../etc/passwd`)).status).toBe(404);
});

test('other users of this machine, who see the port, cannot read emails without the secret path', async () => {
  const catcher = await start(join(await temporaryFolder(), 'mail'));
  onTestFinished(catcher.stop);
  const link = 'http://127.0.0.1:8080/reset-password#token=a-reset-link';
  await catcher.transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'Reset', text: link });
  const { origin } = new URL(catcher.url);
  for (const path of ['/', '/messages', '/secret-pat/messages', '/secret-path2/', '//messages', '/x/'])
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const response = await fetch(origin + path, { method });
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).not.toContain('a-reset-link');
    }
  expect(await (await fetch(`${catcher.url}messages`)).text()).toContain('a-reset-link');
});

test('only the newest 200 are kept', async () => {
  const mail = await CaughtMail.open(await temporaryFolder());
  for (let number = 0; number < 203; number += 1) {
    await mail.add(Buffer.from(`From: a@example.com\r\nTo: b@example.com\r\nSubject: ${number}\r\n\r\ntext`));
  }
  const messages = await mail.list();
  expect(messages).toHaveLength(200);
});
