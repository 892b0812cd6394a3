import type { SupervisorMessage } from '@interview-prep/contracts/events/supervisor-messages';

/**
 * Sends a message over this process's IPC channel to the process that supervises it.
 * @returns whether it was handed over: false with compose, which has no such channel, and once the supervisor has ended
 */
export function sendToSupervisor(message: SupervisorMessage): Promise<boolean> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) return resolve(false);
    process.send(message, undefined, undefined, (error) => resolve(error === null));
  });
}
