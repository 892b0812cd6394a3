import { setTimeout as pause } from 'node:timers/promises';
import { type Job, Worker } from 'bullmq';

/** The pause after Redis has refused to hand out a job. */
const refusedPauseMs = 1000;

/**
 * BullMQ's worker, with a pause after Redis has refused a command. Without it a worker asks a Redis that is full or read-only
 * again at once, thousands of times a second.
 */
export class PacedWorker extends Worker {
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await pause(refusedPauseMs);
      throw error;
    }
  }
}
