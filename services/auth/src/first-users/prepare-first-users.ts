import type { FirstUsersReport, SupervisorMessage } from '@interview-prep/contracts/events/supervisor-messages';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { Connection } from 'mongoose';
import type { Auth } from '../auth.ts';
import type { AuthSettings } from '../config.ts';
import { makeDemoUsers } from './demo-users.ts';
import { ensureFirstAdmin, firstAdminMessages } from './first-admin.ts';

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

/**
 * Reports the first logins to the supervisor over this process's IPC channel. Logs them if there is no channel, as
 * with compose, or the supervisor has ended.
 */
async function reportFirstUsers(report: FirstUsersReport, log: Logger): Promise<void> {
  if (await sendToSupervisor(report)) return;
  const { setUpLink, demoEmails } = report;
  if (setUpLink)
    log.warn(
      { setUpLink },
      'set the first admin’s password with this link; it can be used once and expires in 24 hours',
    );
  if (demoEmails.length > 0) log.info({ demoEmails }, 'demonstration users who sign in with DEMO_PASSWORD');
}

/** Creates the users a new installation needs, and reports how to sign in as them. */
export async function prepareFirstUsers(
  { mongo, auth, log }: { mongo: Connection; auth: Auth; log: Logger },
  settings: AuthSettings,
): Promise<void> {
  const demoPassword = settings.SEED === 'demo' ? settings.DEMO_PASSWORD : undefined;
  // Logged at any LOG_LEVEL: without it nobody can sign in.
  const announcer = log.child({}, { level: 'info' });
  let setUpLink: string | null = null;
  // The admin in the settings comes first, so that the demonstration's own admin does not take that email.
  if (settings.ADMIN_EMAIL !== undefined || demoPassword === undefined) {
    const admin = await ensureFirstAdmin(auth, settings, Boolean(process.connected));
    const message = firstAdminMessages[admin.outcome];
    if (message) announcer.warn(message);
    if (admin.outcome === 'link') setUpLink = admin.link;
  }
  const demoEmails = demoPassword === undefined ? [] : await makeDemoUsers(mongo, auth, demoPassword);
  await reportFirstUsers({ type: 'first-users', setUpLink, demoEmails }, announcer);
}
