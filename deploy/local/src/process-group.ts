import { setTimeout as delay } from 'node:timers/promises';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ESRCH';

/** Signals a process that leads a group, and all that it started; nothing happens where there is none any more. */
export const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};

/** Whether any process of the group is left. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

const GONE_POLL_MS = 10;

/** Resolves when no process of the group is left, or after `atMostMs`: one that its parent never asks about stays listed. */
export const groupGone = async (pid: number, atMostMs: number): Promise<void> => {
  const deadline = performance.now() + atMostMs;
  while (isAlive(pid) && performance.now() < deadline) await delay(GONE_POLL_MS);
};
