import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { UnusableSetting } from '@interview-prep/kit/process/config';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import type { AuthSettings } from '../config.ts';
import { passwordFault } from '../passwords/password-fault.ts';
import { makeResetToken, resetLink } from '../users/reset-tokens.ts';

/** How long a set-up link works. Each start makes a new one until one is used. */
const linkLifetimeMs = 24 * 60 * 60_000;

/** Copies of auth that start within this time print one link together: a second one would end the first. */
const startedTogetherMs = 60_000;

/** The outcome for the first admin. With `link`, someone must open it to set the password. */
export type FirstAdmin =
  | { outcome: 'exists' | 'created' | 'not-configured' | 'email-taken' | 'linked' }
  | { outcome: 'link'; link: string };

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

/** What to log for each outcome; null if there is nothing to log, or the link is reported instead. */
export const firstAdminMessages: Record<FirstAdmin['outcome'], string | null> = {
  exists: null,
  created: 'created the first admin from ADMIN_EMAIL and ADMIN_PASSWORD',
  link: null,
  linked: 'another process of auth has just logged a link for setting the first admin’s password',
  'not-configured':
    'there is no admin yet: set ADMIN_EMAIL (and ADMIN_PASSWORD, or open the set-up link that is then made)',
  'email-taken': 'there is no admin yet, and ADMIN_EMAIL belongs to a user who is not one: set another email',
};
