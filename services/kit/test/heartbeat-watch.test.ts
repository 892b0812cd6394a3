import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { connectMongo, watchHeartbeats } from '../src/mongo/mongo.ts';
import { createTestBacking } from '../testing/backing.ts';

const everyMs = 20;

test('a driver that stops checking its server is reported once', async () => {
  const client = new EventEmitter();
  let calls = 0;
  watchHeartbeats(
    client,
    () => {
      calls += 1;
      client.emit('silence');
    },
    everyMs,
  );
  await once(client, 'silence');
  expect(calls).toBe(1);
  expect(client.listenerCount('serverHeartbeatSucceeded')).toBe(0);
});

test.each(['serverHeartbeatStarted', 'serverHeartbeatSucceeded', 'serverHeartbeatFailed'])(
  'a driver that emits %s checks its server',
  async (event) => {
    const client = new EventEmitter();
    let calls = 0;
    const stop = watchHeartbeats(
      client,
      () => {
        calls += 1;
      },
      everyMs,
    );
    // Far longer than it takes to detect silence.
    for (let beats = 0; beats < 40; beats += 1) {
      client.emit(event);
      await new Promise((resolve) => setTimeout(resolve, everyMs / 2));
    }
    stop();
    expect(calls).toBe(0);
  },
);

test('the client of a connection emits these events', async () => {
  const backing = await createTestBacking('kit');
  const mongo = await connectMongo(backing.settings, 'kit', backing.log);
  await once(mongo.getClient() as unknown as EventEmitter, 'serverHeartbeatSucceeded');
  await mongo.close();
  await backing.close();
});
