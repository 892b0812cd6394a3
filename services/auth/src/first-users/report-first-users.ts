import type { FirstUsersReport } from '@interview-prep/contracts/events/supervisor-messages';
import type { Logger } from '@interview-prep/kit/process/logger';
import { sendToSupervisor } from './send-to-supervisor.ts';

/**
 * Reports the first logins to the supervisor over this process's IPC channel. Logs them if there is no channel, as
 * with compose, or the supervisor has ended.
 */
export async function reportFirstUsers(report: FirstUsersReport, log: Logger): Promise<void> {
  if (await sendToSupervisor(report)) return;
  const { setUpLink, demoEmails } = report;
  if (setUpLink) log.warn({ setUpLink }, 'set the first admin’s password with this link; it works once, for 24 hours');
  if (demoEmails.length > 0) log.info({ demoEmails }, 'demonstration users who sign in with DEMO_PASSWORD');
}
