import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { repeat } from '../src/process/repeat.ts';

it('repeats work after a failure, one run at a time, and waits for the last run', async () => {
  let [runs, running, runningMost] = [0, 0, 0];
  const errors: unknown[] = [];
  const work = async () => {
    runs += 1;
    running += 1;
    runningMost = Math.max(runningMost, running);
    // Longer than the interval.
    await pause(10);
    running -= 1;
    if (runs === 1) throw new Error('the first run fails');
  };
  const stop = repeat(1, work, (error) => errors.push(error));
  expect(runs).toBe(1);
  await expect.poll(() => runs).toBeGreaterThan(2);
  await stop();
  expect([running, runningMost, errors.length]).toEqual([0, 1, 1]);
});
