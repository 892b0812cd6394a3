import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { connectProducer } from '@interview-prep/kit/redis/redis';
import { createTestBacking } from '@interview-prep/kit/testing/backing';
import { createFaultProxy } from '@interview-prep/kit/testing/fault-proxy';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { assertion, storePasskey } from './software-authenticator.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
afterEach(() => started.stop());

/** A request from a client's address, as forwarded by the gateway. */
const from = (address: string, path: string, body: object) =>
  started.call('post', path, undefined, body).set('X-Forwarded-For', address);
const login = (address: string, email: string, secret: string) =>
  from(address, '/api/auth/login', { email, password: secret });

describe('failed sign-ins', () => {
  test('are limited per email and IP address, without affecting others', async () => {
    started = await startAuth({ LOGIN_ATTEMPTS: '3' });
    await started.add('others', 'ada@example.com');
    await started.add('others', 'bob@example.com');
    for (let n = 0; n < 3; n += 1) await login('10.0.0.1', 'ada@example.com', 'wrong').expect(401);
    const { body, headers } = await login('10.0.0.1', ' ADA@example.com', password).expect(429);
    expect(body).toEqual({
      message: 'Too many attempts. Please try again in 15 minutes.',
      code: 'too_many_requests',
      requestId: expect.any(String),
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(14 * 60);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
    await login('10.0.0.2', 'ada@example.com', password).expect(200);
    await login('10.0.0.1', 'bob@example.com', password).expect(200);
  });

  test('are the only ones that count: successful sign-ins have their own limit', async () => {
    started = await startAuth({ LOGIN_ATTEMPTS: '2' });
    await started.add('others', 'ada@example.com');
    for (let n = 0; n < 5; n += 1) await login('10.0.0.1', 'ada@example.com', password).expect(200);
  });

  test('for many emails from one IP address are limited too', async () => {
    started = await startAuth({ LOGIN_ATTEMPTS: '1' });
    for (let n = 0; n < 10; n += 1) await login('10.0.0.1', `${n}@example.com`, 'wrong').expect(401);
    await login('10.0.0.1', 'ada@example.com', 'wrong').expect(429);
    await from('10.0.0.1', '/api/auth/reset-password', { token: 'x', password: 'long enough' }).expect(429);
    await login('10.0.0.2', 'ada@example.com', 'wrong').expect(401);
  });

  test('are remembered after Redis was emptied, and counted in it again', async () => {
    started = await startAuth({ LOGIN_ATTEMPTS: '2' });
    await login('10.0.0.1', 'ada@example.com', 'wrong').expect(401);
    await started.backing.redisAdministrator.script('FLUSH');
    await started.emptyRedis();
    await login('10.0.0.1', 'ada@example.com', 'wrong').expect(401);
    await login('10.0.0.1', 'ada@example.com', 'wrong').expect(429);
    expect(await started.backing.redisAdministrator.keys(`${started.prefix}:limits:auth:login:*`)).toHaveLength(1);
  });
});

test('are limited while Redis is down, by each process separately', async () => {
  const backing = await createTestBacking('auth');
  const link = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = await connectProducer(link.url, backing.log);
  started = await startAuth({ LOGIN_ATTEMPTS: '3' }, { ...backing, redis });
  onTestFinished(async () => {
    redis.disconnect();
    await link.close();
    await backing.close();
  });
  await login('10.0.0.1', 'ada@example.com', 'wrong').expect(401);
  link.cut();
  await login('10.0.0.1', 'ada@example.com', 'wrong').expect(401);
  await login('10.0.0.1', 'ada@example.com', 'wrong').expect(401);
  await login('10.0.0.1', 'ada@example.com', 'wrong').expect(429);
  await login('10.0.0.1', 'bob@example.com', 'wrong').expect(401);
  // Redis has counted only the first attempt.
  link.mend();
  await expect.poll(() => redis.status).toBe('ready');
  await login('10.0.0.1', 'ada@example.com', 'wrong').expect(429);
});

describe('successful sign-ins', () => {
  test('are limited per account, from any IP address; other accounts and failures are not affected', async () => {
    started = await startAuth({ LOGIN_ATTEMPTS: '200' });
    await started.add('others', 'ada@example.com');
    await started.add('others', 'bob@example.com');
    for (let n = 0; n < 61; n += 1) await login('10.0.0.1', 'ada@example.com', 'wrong').expect(401);
    for (let n = 0; n < 60; n += 1) await login(`10.0.0.${n}`, 'ada@example.com', password).expect(200);
    const { body } = await login('10.0.1.1', ' ADA@example.com ', password).expect(429);
    expect(body.message).toBe('Too many sign-ins. Please try again in 15 minutes.');
    await login('10.0.1.1', 'bob@example.com', password).expect(200);
  });

  test('are limited when concurrent', async () => {
    started = await startAuth({ LOGIN_ATTEMPTS: '200' });
    await started.add('others', 'ada@example.com');
    const answers = await Promise.all(
      Array.from({ length: 80 }, async () => login('10.0.0.1', 'ada@example.com', password)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  test('count if the client disconnects before the response; failures then do not', async () => {
    started = await startAuth({ LOGIN_ATTEMPTS: '500' });
    await started.add('others', 'ada@example.com');
    const server = createServer(started.app).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const hangUp = async (secret: string) => {
      const body = JSON.stringify({ email: 'ada@example.com', password: secret });
      const head = `POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const received = once(server, 'request');
      socket.write(head + body, () => socket.destroy());
      const [, response] = (await received) as [IncomingMessage, ServerResponse];
      if (!response.closed) await once(response, 'close');
    };
    for (let n = 0; n < 61; n += 1) await hangUp('wrong');
    // The count of a failure is taken back after its response has closed.
    await expect.poll(async () => (await login('10.0.0.1', 'ada@example.com', password)).status).toBe(200);
    for (let n = 0; n < 60; n += 1) await hangUp(password);
    await expect.poll(async () => (await login('10.0.0.1', 'ada@example.com', password)).status).toBe(429);
    expect(await started.auth.signInRecords.countDocuments()).toBeLessThanOrEqual(60);
  });

  test('with a passkey count toward the same limit', async () => {
    started = await startAuth({ LOGIN_ATTEMPTS: '200', PUBLIC_URL: 'https://prep.example.com' });
    const user = await started.add('others', 'ada@example.com');
    const passkey = await storePasskey(started, user._id.toHexString());
    const byPasskey = async (status: number) => {
      const { body } = await from('10.0.0.1', '/api/auth/passkey-sign-in/options', {}).expect(200);
      const answer = assertion(passkey, { challenge: body.options.challenge, counter: 0 });
      await from('10.0.0.1', '/api/auth/passkey-sign-in', { passkey: answer }).expect(status);
    };
    for (let n = 0; n < 59; n += 1) await login('10.0.0.1', 'ada@example.com', password).expect(200);
    await byPasskey(200);
    await login('10.0.0.1', 'ada@example.com', password).expect(429);
    await byPasskey(429);
  });

  test('share a limit on step-ups', async () => {
    started = await startAuth({ LOGIN_ATTEMPTS: '200' });
    const { token } = await started.signedIn('others');
    let latest = token;
    for (let n = 0; n < 60; n += 1) {
      latest = (await started.call('post', '/api/auth/step-up', latest, { password }).expect(200)).body.token;
    }
    await started.call('post', '/api/auth/step-up', latest, { password }).expect(429);
  });
});

describe('behind a proxy that TRUST_PROXY does not cover', () => {
  const behind = (sent: ReturnType<typeof login>) => sent.set('X-Shared-Address', 'true');
  const shared = (email: string) => behind(login('172.17.0.1', email, 'wrong'));

  test('limits per IP address are ten times as high, never off; limits per email are unchanged', async () => {
    started = await startAuth({ LOGIN_ATTEMPTS: '1' });
    await shared('ada@example.com').expect(401);
    await shared('ada@example.com').expect(429);
    for (let n = 0; n < 98; n += 1) await shared(`${n}@example.com`).expect(401);
    await shared('another@example.com').expect(429);
    // Without signs of a proxy, the same address has its normal limit, which is also exhausted.
    await login('172.17.0.1', 'another@example.com', 'wrong').expect(429);
  });
});

test('reset emails for one email are limited, whether it is known or not', async () => {
  started = await startAuth({ LOGIN_ATTEMPTS: '10' });
  await started.add('others', 'ada@example.com');
  for (const email of ['ada@example.com', 'nobody@example.com']) {
    const ask = () => from('10.0.0.1', '/api/auth/forgot-password', { email });
    for (let n = 0; n < 5; n += 1) await ask().expect(200);
    expect((await ask().expect(429)).body.message).toBe('Too many attempts. Please try again in 60 minutes.');
  }
});

test('attempts at the current password are limited', async () => {
  started = await startAuth({ LOGIN_ATTEMPTS: '2' });
  const { token } = await started.signedIn('others');
  const change = (currentPassword: string) =>
    started.call('post', '/api/auth/change-password', token, { currentPassword, newPassword: 'another password' });
  await change('wrong').expect(400);
  await change('wrong').expect(400);
  await change(password).expect(429);
});

test('Redis contains no email', async () => {
  started = await startAuth({ LOGIN_ATTEMPTS: '2' });
  await login('10.0.0.1', 'ada@example.com', 'wrong').expect(401);
  const keys = await started.backing.redisAdministrator.keys(`${started.prefix}:limits:*`);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.join()).not.toContain('ada');
});
