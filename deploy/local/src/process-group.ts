import { setTimeout as delay } from 'node:timers/promises';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ESRCH';

/** Signals all processes of the group that this process leads. Does nothing if the group has exited. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Whether any process of the group is left. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const GONE_POLL_MS = 10;

/** Resolves when no process of the group is left, or after `atMostMs`: a zombie stays listed until its parent reaps it. */
export async function groupGone(pid: number, atMostMs: number): Promise<void> {
  const deadline = performance.now() + atMostMs;
  while (isAlive(pid) && performance.now() < deadline) await delay(GONE_POLL_MS);
}
