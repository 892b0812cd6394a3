import type { Logger } from '@interview-prep/kit/process/logger';
import type { Connection } from 'mongoose';
import type { Auth } from '../auth.ts';
import type { AuthSettings } from '../config.ts';
import { makeDemoUsers } from './demo-users.ts';
import { ensureFirstAdmin, firstAdminMessages } from './first-admin.ts';
import { reportFirstUsers } from './report-first-users.ts';

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
    const admin = await ensureFirstAdmin(auth, settings);
    const message = firstAdminMessages[admin.outcome];
    if (message) announcer.warn(message);
    if (admin.outcome === 'link') setUpLink = admin.link;
  }
  const demoEmails = demoPassword === undefined ? [] : await makeDemoUsers(mongo, auth, demoPassword);
  await reportFirstUsers({ type: 'first-users', setUpLink, demoEmails }, announcer);
}
