import { EventEmitter } from 'node:events';
import type { Worker } from 'bullmq';
import { expect, it, onTestFinished } from 'vitest';
import { freeMemoryAfterJobs } from '../../src/idle/free-memory-after-jobs.ts';
import { reloadable } from '../../src/idle/reloadable.ts';

it('drops tables at the start, and again some time after a job; the next use loads them', async () => {
  let loads = 0;
  const table = reloadable(() => ({ load: ++loads }));
  const worker = new EventEmitter();
  expect([table().load, table().load]).toEqual([1, 1]);

  onTestFinished(freeMemoryAfterJobs([worker as Worker], 10));
  expect([table().load, table().load]).toEqual([2, 2]);

  worker.emit('completed');
  expect(table().load).toBe(2);
  await expect.poll(() => table().load).toBe(3);
});

it('keeps them while jobs follow one another', () => {
  const table = reloadable(() => ({}));
  const worker = new EventEmitter();
  onTestFinished(freeMemoryAfterJobs([worker as Worker], 60_000));
  const first = table();
  for (const event of ['active', 'completed', 'active', 'failed']) worker.emit(event);
  expect(table()).toBe(first);
});
