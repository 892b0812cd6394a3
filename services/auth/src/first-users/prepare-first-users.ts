import type { Role } from '@interview-prep/contracts/auth/users';
import type { FirstUsersReport, SupervisorMessage } from '@interview-prep/contracts/events/supervisor-messages';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { UnusableSetting } from '@interview-prep/kit/process/config';
import type { Logger } from '@interview-prep/kit/process/logger';
import { type Connection, Schema, trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import type { AuthSettings } from '../config.ts';
import { passwordFault } from '../passwords/password-policy.ts';
import { makeResetToken, resetLink } from '../users/reset-tokens.ts';

/** The lifetime of a set-up link. Each start creates a new one until one is used. */
const linkLifetimeMs = 24 * 60 * 60_000;

/** Instances of auth that start within this time print only one link: a second one would revoke the first. */
const startedTogetherMs = 60_000;

/** The outcome for the first admin. With `link`, someone must open it to set the password. */
type FirstAdmin =
  | { outcome: 'exists' | 'created' | 'not-configured' | 'email-taken' | 'linked' }
  | { outcome: 'link'; link: string };

/** The log line for each outcome; null if there is none, or the link is reported instead. */
const firstAdminMessages: Record<FirstAdmin['outcome'], string | null> = {
  exists: null,
  created: 'created the first admin from ADMIN_EMAIL and ADMIN_PASSWORD',
  link: null,
  linked: 'another process of auth has just logged a link for setting the first admin’s password',
  'not-configured':
    'there is no admin yet: set ADMIN_EMAIL (and ADMIN_PASSWORD, or open the set-up link that is then made)',
  'email-taken': 'there is no admin yet, and ADMIN_EMAIL belongs to a user who is not one: set another email',
};

const demoUsers: readonly { email: string; role: Role; technologies: string[] }[] = [
  { email: 'admin@example.com', role: 'admin', technologies: [] },
  { email: 'dev@example.com', role: 'dev', technologies: ['javascript', 'react'] },
  { email: 'candidate@example.com', role: 'others', technologies: [] },
];

/** A demonstration user that was created once. It is never created again, even after it was deleted. */
interface MadeUser {
  /** The email. */
  _id: string;
}

const schema = new Schema<MadeUser>({ _id: { type: String, required: true } }, { collection: 'seeds' });

/**
 * Sends a message over this process's IPC channel to the process that supervises it.
 * @returns false if it wasn't delivered: under compose, which has no such channel, or if the supervisor has exited
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
  // Logged at any LOG_LEVEL: without it no one can sign in.
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

/**
 * Creates the demonstration users that were never created before. An existing user with the same email is not changed.
 * @returns the emails that can sign in with `password`: not those of deleted users, or with another password
 */
export async function makeDemoUsers(
  connection: Connection,
  { users, passwords }: Pick<Auth, 'users' | 'passwords'>,
  password: string,
): Promise<string[]> {
  const made = connection.model<MadeUser>('Seed', schema);
  for (const user of demoUsers) {
    if (await made.exists({ _id: user.email })) continue;
    await users.create({ ...user, passwordHash: await passwords.hash(password) }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
    await upsertById(() => made.updateOne({ _id: user.email }, {}, { upsert: true }));
  }
  const emails = demoUsers.map(({ email }) => email);
  const opened = await Promise.all(
    emails.map(async (email) => {
      const user = await users.findOne({ email, deletedAt: null }, 'passwordHash').lean();
      return passwords.verify(user?.passwordHash, password);
    }),
  );
  return emails.filter((_, index) => opened[index]);
}

/**
 * Creates the first admin unless an admin can sign in: with ADMIN_PASSWORD, or with a one-time link to set a password.
 * @param isAlone whether no other process of auth may start at the same time
 * @throws UnusableSetting for an ADMIN_PASSWORD that is easy to guess
 */
export async function ensureFirstAdmin(
  { users, passwords }: Pick<Auth, 'users' | 'passwords'>,
  settings: Pick<AuthSettings, 'ADMIN_EMAIL' | 'ADMIN_PASSWORD' | 'PUBLIC_URL'>,
  isAlone = true,
): Promise<FirstAdmin> {
  const admins = await users.find({ role: 'admin', deletedAt: null }, 'email passwordHash lastLogin').lean();
  if (admins.some((admin) => admin.passwordHash !== undefined || admin.lastLogin !== null))
    return { outcome: 'exists' };

  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, PUBLIC_URL } = settings;
  if (email === undefined) return { outcome: 'not-configured' };
  const fault = password && passwordFault(password, email);
  if (fault) throw new UnusableSetting('ADMIN_PASSWORD', fault);
  const passwordHash = password === undefined ? undefined : await passwords.hash(password);
  await users
    .create({ email, role: 'admin', technologies: [], ...(passwordHash === undefined ? {} : { passwordHash }) })
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });

  const admin = await users.findOne({ email, role: 'admin', deletedAt: null }).lean();
  if (!admin) return { outcome: 'email-taken' };
  if (passwordHash === undefined) {
    const expiresAt = new Date(Date.now() + linkLifetimeMs);
    const earlier = trusted({ $not: { $gt: new Date(expiresAt.getTime() - startedTogetherMs) } });
    const unlinked = isAlone ? {} : { 'reset.expiresAt': earlier };
    const reset = { tokenHash: 'follows', expiresAt };
    const { matchedCount } = await users.updateOne({ _id: admin._id, ...unlinked }, { $set: { reset } });
    if (matchedCount === 0) return { outcome: 'linked' };
    return { outcome: 'link', link: resetLink(PUBLIC_URL, await makeResetToken(users, admin._id, linkLifetimeMs)) };
  }
  // An earlier start created the admin without a password.
  if (admin.passwordHash === undefined) {
    await users.updateOne({ _id: admin._id }, { $set: { passwordHash }, $unset: { reset: 1 } });
  }
  return { outcome: 'created' };
}
