import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { holdBackRepeats } from '../src/process/repeated-lines.ts';

const minuteMs = 200;

function createTestLog() {
  const lines: { msg: string; repeated?: number; level: number }[] = [];
  const log = pino(
    { base: null, hooks: { logMethod: holdBackRepeats(minuteMs) } },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  return { log, lines };
}

test('a repeated warning is logged once immediately, and once with the count when the minute is over', async () => {
  const { log, lines } = createTestLog();
  for (let job = 1; job <= 1000; job += 1) {
    const err = new Error(`OOM command not allowed, id 66f1c0ffee66f1c0ffee${job}`);
    log
      .child({ requestId: `request-${job}` })
      .warn({ queue: 'media', job: `${job}`, event: randomUUID(), err }, 'worker');
  }
  expect(lines).toMatchObject([{ msg: 'worker', job: '1' }]);
  await expect.poll(() => lines.length).toBe(2);
  expect(lines[1]).toMatchObject({ msg: 'worker', job: '1000', requestId: 'request-1000', repeated: 999 });

  // The following minute had none: nothing more is logged, and the next line starts over.
  await pause(minuteMs * 1.5);
  expect(lines).toHaveLength(2);
  log.warn({ queue: 'media', job: '1', err: new Error('OOM command not allowed, id 1') }, 'worker');
  expect(lines).toHaveLength(3);
  expect(lines[2]?.repeated).toBeUndefined();
});

test('causes are distinguished by level, message, error, code, cause and text fields', () => {
  const { log, lines } = createTestLog();
  const refused = (code: string) => Object.assign(new Error('connect'), { code });
  log.warn('a');
  log.warn('b');
  log.error('a');
  log.warn({ err: refused('ECONNREFUSED') }, 'a');
  log.warn({ err: refused('ETIMEDOUT') }, 'a');
  log.warn({ err: new Error('failed', { cause: refused('ECONNREFUSED') }) }, 'a');
  log.warn({ err: new Error('failed', { cause: refused('ETIMEDOUT') }) }, 'a');
  log.warn({ queue: 'media' }, 'a');
  log.warn({ queue: 'history' }, 'a');
  log.warn(refused('ECONNREFUSED'), 'b');
  expect(lines).toHaveLength(10);
  log.warn({ queue: 'history' }, 'a');
  expect(lines).toHaveLength(10);
});

test('levels below warning are all logged', () => {
  const { log, lines } = createTestLog();
  for (let time = 0; time < 5; time += 1) log.info('listening');
  expect(lines).toHaveLength(5);
});

test('thousands of simultaneous causes share a line', () => {
  const { log, lines } = createTestLog();
  const word = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  for (let cause = 0; cause < 5000; cause += 1) log.warn(`cause ${word(cause)}`);
  expect(lines.length).toBeLessThan(600);
});
