import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import mongoose, { MongooseError } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { unavailable } from '../src/http/http-error.ts';
import { createServiceApp } from '../src/http/service-app.ts';
import { connectMongo } from '../src/mongo/mongo.ts';
import type { Logger } from '../src/process/logger.ts';
import { outageOf } from '../src/process/outages.ts';
import { connectProducer } from '../src/redis/redis.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';
import { createFaultProxy, type FaultProxy } from '../testing/fault-proxy.ts';

let backing: TestBacking;
beforeAll(async () => {
  backing = await createTestBacking('kit');
});
afterAll(() => backing.close());

const { mongo } = mongoose;
const named = (name: string, message = 'x') => Object.assign(new Error(message), { name });
const steppedDown = { ok: 1, writeConcernError: { code: 189, errmsg: 'stepped down' } };

describe('an outage', () => {
  test.each([
    ['a network error', new mongo.MongoNetworkError('x'), 'mongodb'],
    ['no server to select', new mongo.MongoServerSelectionError('x', {} as never), 'mongodb'],
    ['a closed topology', new mongo.MongoTopologyClosedError('x'), 'mongodb'],
    ['no free connection', named('MongoWaitQueueTimeoutError'), 'mongodb'],
    ['Mongoose giving up its buffer', new MongooseError('Operation `x.y()` buffering timed out after 1ms'), 'mongodb'],
    [
      'a connection that broke under a bulk write',
      new mongo.MongoBulkWriteError(new mongo.MongoNetworkError('x') as never, {} as never),
      'mongodb',
    ],
    ['a write concern that is not met', new mongo.MongoWriteConcernError(steppedDown), 'mongodb'],
    ...[91, 189, 10107, 11600, 11602, 14031].map(
      (code) => [`MongoDB's code ${code}`, new mongo.MongoServerError({ message: 'x', code }), 'mongodb'] as const,
    ),
    ['no reconnection to Redis', named('MaxRetriesPerRequestError'), 'redis'],
    ['a command that timed out', new Error('Command timed out'), 'redis'],
    [
      'a Redis that takes no writes',
      named('ReplyError', "READONLY You can't write against a read only replica."),
      'redis',
    ],
    ['a full Redis', named('ReplyError', "OOM command not allowed when used memory > 'maxmemory'."), 'redis'],
    ['a loading Redis', named('ReplyError', 'LOADING Redis is loading the dataset in memory'), 'redis'],
    ['a full disk', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }), 'disk'],
    ['an object store that is down', unavailable('x', undefined, 'object-store'), 'object-store'],
  ] as const)('includes %s', (_name, error, part) => {
    expect(outageOf(error)).toBe(part);
  });

  test.each([
    ['a duplicate key', new mongo.MongoServerError({ message: 'x', code: 11_000 })],
    ['a bad query', new mongo.MongoServerError({ message: 'x', code: 2 })],
    ['a wrong command', named('ReplyError', 'ERR unknown command')],
    ['an aborted call', named('AbortError')],
    ["another service's outage", unavailable('Google cannot be reached')],
    ['a mistake of ours', new TypeError('x')],
    ['nothing', undefined],
  ])('does not include %s', (_name, error) => {
    expect(outageOf(error)).toBeNull();
  });
});

test('includes a write to a connection that the other end has closed', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket.resume(), 'end');
  socket.write('x');
  const [error] = await once(socket, 'error');
  expect(outageOf(error)).toBe('mongodb');
});

/** An app that responds with the result of `act`. */
const appOf = (act: () => Promise<unknown>, log: Logger) =>
  createServiceApp({
    log,
    checks: {},
    routes: (app) => {
      app.get('/act', async (_req, res) => {
        await act();
        res.json({});
      });
    },
  });

describe('a request returns 503', () => {
  const during = async (proxy: FaultProxy, fault: () => void, act: () => Promise<unknown>) => {
    const app = appOf(act, backing.log);
    await request(app).get('/act').expect(200);
    fault();
    const faultAt = performance.now();
    const answer = await request(app).get('/act');
    expect(performance.now() - faultAt).toBeLessThan(10_000);
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    proxy.mend();
    await expect.poll(async () => (await request(app).get('/act')).status, { timeout: 20_000 }).toBe(200);
  };

  test('while MongoDB refuses connections, and while it hangs during a write', async () => {
    const proxy = await createFaultProxy(backing.settings.MONGODB_URI);
    const settings = { ...backing.settings, MONGODB_URI: proxy.url };
    const connection = await connectMongo(settings, 'kit', backing.log);
    let last: unknown;
    const write = () =>
      connection
        .collection('writes')
        .insertOne({})
        .catch((error: unknown) => {
          last = error;
          throw error;
        });
    await during(proxy, () => proxy.cut(), write);
    await during(proxy, () => proxy.freeze(), write);
    // The heartbeat's connection times out and interrupts operations in progress.
    expect(last).toMatchObject({ name: 'PoolClearedOnNetworkError' });
    await connection.close();
    await proxy.close();
  });

  test('while Redis refuses connections, and while it hangs', async () => {
    const proxy = await createFaultProxy(backing.settings.REDIS_URL);
    const redis = await connectProducer(proxy.url, backing.log);
    await during(
      proxy,
      () => proxy.cut(),
      () => redis.ping(),
    );
    await during(
      proxy,
      () => proxy.freeze(),
      () => redis.ping(),
    );
    redis.disconnect();
    await proxy.close();
  });
});
