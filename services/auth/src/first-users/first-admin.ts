import { isDuplicateKey } from '@interview-prep/kit/mongo';
import type { Auth } from '../auth.ts';
import type { AuthSettings } from '../config.ts';
import { makeResetToken, resetLink } from '../passwords/reset-tokens.ts';

/** How long a set-up link works; a restart makes a new one as long as nobody has used one. */
const linkLifetimeMs = 24 * 60 * 60_000;

/** What became of the first admin; `link` where one must be opened to set the password. */
export type FirstAdmin =
  | { outcome: 'exists' | 'created' | 'not-configured' | 'email-taken' }
  | { outcome: 'link'; link: string };

/**
 * Makes the first admin where there is none that can sign in: with ADMIN_PASSWORD, or without a password and with a one-time
 * link to set it.
 */
export async function ensureFirstAdmin(
  { users, passwords }: Pick<Auth, 'users' | 'passwords'>,
  settings: Pick<AuthSettings, 'ADMIN_EMAIL' | 'ADMIN_PASSWORD' | 'PUBLIC_URL'>,
): Promise<FirstAdmin> {
  const admins = await users.find({ role: 'admin', deletedAt: null }, 'email passwordHash lastLogin').lean();
  if (admins.some((admin) => admin.passwordHash !== undefined || admin.lastLogin !== null))
    return { outcome: 'exists' };

  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, PUBLIC_URL } = settings;
  if (email === undefined) return { outcome: 'not-configured' };
  const passwordHash = password === undefined ? undefined : await passwords.hash(password);
  await users
    .create({ email, role: 'admin', technologies: [], ...(passwordHash === undefined ? {} : { passwordHash }) })
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });

  const admin = await users.findOne({ email, role: 'admin', deletedAt: null }).lean();
  if (!admin) return { outcome: 'email-taken' };
  if (passwordHash === undefined) {
    return { outcome: 'link', link: resetLink(PUBLIC_URL, await makeResetToken(users, admin._id, linkLifetimeMs)) };
  }
  // Made by an earlier start that had no password to give.
  if (admin.passwordHash === undefined) {
    await users.updateOne({ _id: admin._id }, { $set: { passwordHash }, $unset: { reset: 1 } });
  }
  return { outcome: 'created' };
}

/** What to log for each outcome; null where there is nothing to do, or the link is reported instead. */
export const firstAdminMessages: Record<FirstAdmin['outcome'], string | null> = {
  exists: null,
  created: 'created the first admin from ADMIN_EMAIL and ADMIN_PASSWORD',
  link: null,
  'not-configured':
    'there is no admin yet: set ADMIN_EMAIL (and ADMIN_PASSWORD, or open the set-up link that is then made)',
  'email-taken': 'there is no admin yet, and ADMIN_EMAIL belongs to a user who is not one: set another email',
};
