import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type OwnedLiveStatus, publishLiveStatus, subscribeLiveStatus } from '@interview-prep/kit/redis/live-status';
import { connectWorker } from '@interview-prep/kit/redis/redis';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Redis } from 'ioredis';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
let subscriber: Redis;

beforeAll(async () => {
  service = await startRecording();
  const { settings, log } = service.backing;
  subscriber = connectWorker(settings.REDIS_URL, log);
  await subscribeLiveStatus(subscriber, settings.REDIS_PREFIX, service.streams.send, log);
});
afterAll(async () => {
  subscriber.disconnect();
  await service.close();
});

/** Opens an event stream like a browser. `events` are those received so far; `ended` resolves when the server ends it. */
async function listen(user: TestUser, query = '') {
  const leaving = new AbortController();
  const { port } = service.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/api/events${query}`, {
    headers: { authorization: user.authorization },
    signal: leaving.signal,
  });
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const read = async () => {
    const text = response.body?.pipeThrough(new TextDecoderStream());
    for await (const chunk of text ?? []) parser.feed(chunk);
  };
  const ended = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return { response, events, ended, leave: () => leaving.abort() };
}

const publish = async (user: TestUser, changes: Partial<OwnedLiveStatus> = {}) =>
  publishLiveStatus(await service.backing.redisAs('history'), service.backing.settings.REDIS_PREFIX, {
    userId: user.id,
    sessionId: 's',
    recordingId: 'r',
    stage: 'media',
    status: 'started',
    ...changes,
  });

describe('the event stream', () => {
  it("sends the status of only the user's own recordings", async () => {
    const [mine, other] = await Promise.all([service.identity.user('others'), service.identity.user('admin')]);
    const stream = await listen(mine);
    expect(stream.response.headers.get('content-type')).toMatch('text/event-stream');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    await publish(other);
    await publish(mine, { stage: 'transcription', status: 'completed' });
    await expect.poll(() => stream.events).toHaveLength(1);
    expect(stream.events[0]?.event).toBe('recording');
    expect(JSON.parse(stream.events[0]?.data ?? '')).toEqual({
      sessionId: 's',
      recordingId: 'r',
      stage: 'transcription',
      status: 'completed',
    });
    stream.leave();
    await stream.ended;
  });

  it("sends admins the status of other people's sessions that they view, without words still being spoken", async () => {
    const [owner, admin] = await Promise.all([service.identity.user('others'), service.identity.user('admin')]);
    const [seen, other] = [randomUUID(), randomUUID()];
    const [watching, elsewhere] = await Promise.all([listen(admin, `?sessionIds=${other},${seen}`), listen(admin)]);
    service.streams.send({ userId: owner.id, uploadId: 'u', text: 'still spoken' });
    await publish(owner, { sessionId: randomUUID() });
    await publish(owner, { sessionId: seen, progress: { percent: 50, text: 'heard' } });
    await publish(admin, { sessionId: seen });
    await expect.poll(() => watching.events).toHaveLength(2);
    expect(JSON.parse(watching.events[0]?.data ?? '')).toMatchObject({ sessionId: seen, progress: { text: 'heard' } });
    expect(elsewhere.events).toHaveLength(1);
    for (const stream of [watching, elsewhere]) stream.leave();

    for (const role of ['others', 'dev'] as const) {
      const refused = await listen(await service.identity.user(role), `?sessionIds=${seen}`);
      expect(refused.response.status).toBe(403);
    }
    expect((await listen(admin, '?sessionIds=x')).response.status).toBe(400);
  });

  it('sends to every window of a user', async () => {
    const user = await service.identity.user('others');
    const streams = await Promise.all([listen(user), listen(user)]);
    await publish(user);
    for (const stream of streams) await expect.poll(() => stream.events).toHaveLength(1);
    for (const stream of streams) stream.leave();
  });

  it('ends when the token expires', async () => {
    const stream = await listen(await service.identity.user('others', { expiresInSeconds: 2 }));
    expect(stream.response.status).toBe(200);
    await stream.ended;
  });

  it('is closed if its reader has stalled when the token expires', async () => {
    const user = await service.identity.user('others', { expiresInSeconds: 5 });
    const connected = once(service.server, 'connection') as Promise<[Socket]>;
    const reader = connect((service.server.address() as AddressInfo).port, '127.0.0.1').pause();
    reader.write(`GET /api/events HTTP/1.1\r\nHost: here\r\nAuthorization: ${user.authorization}\r\n\r\n`);
    const [socket] = await connected;
    const send = () =>
      service.streams.send({
        userId: user.id,
        sessionId: 's',
        recordingId: 'r'.repeat(8000),
        stage: 'media',
        status: 'started',
      });
    // The operating system's buffers grow for a while before the stream blocks.
    let stuck = 0;
    await expect
      .poll(async () => {
        stuck = socket.writableLength;
        while (socket.writableLength === 0 && !socket.destroyed) {
          send();
          await nextTurn();
        }
        return stuck;
      })
      .toBeGreaterThan(0);
    // The next write is the stream's end.
    await expect.poll(() => socket.writableLength).toBeGreaterThan(stuck);
    for (let times = 0; times < 3; times += 1) {
      send();
      await nextTurn();
    }
    await expect.poll(() => socket.destroyed).toBe(true);
    reader.destroy();
  });

  it('is refused without a token, with an expired one, and for too many windows', async () => {
    expect((await request(service.server).get('/api/events')).status).toBe(401);
    const late = await service.identity.user('others', { expiresInSeconds: -1 });
    const refused = await request(service.server).get('/api/events').set('Authorization', late.authorization);
    expect(refused.status).toBe(401);

    const user = await service.identity.user('others');
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(user)));
    expect(streams.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
    const further = await request(service.server).get('/api/events').set('Authorization', user.authorization);
    expect(further.status).toBe(429);
    expect(Number(further.headers['retry-after'])).toBeGreaterThan(0);
    for (const stream of streams) stream.leave();
    // Closing windows frees their slots.
    await expect
      .poll(async () => {
        const stream = await listen(user);
        stream.leave();
        return stream.response.status;
      })
      .toBe(200);
  });
});
