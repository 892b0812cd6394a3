import { unauthorized } from '@interview-prep/kit/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo';
import { trusted } from 'mongoose';
import type { UserModel } from '../users/model.ts';
import type { GoogleAccount } from './google.ts';

/**
 * The user of the account, by its id: an email may change, and may be given to somebody else. At the first sign-in it is the
 * user with the account's verified email; a new one gets the role `others`.
 * @throws HttpError 401 where the email belongs to the user of another account
 */
export async function googleUser(users: UserModel, { id, email }: GoogleAccount) {
  const find = async () =>
    (await users.findOne({ googleId: id, deletedAt: null }).sort({ createdAt: 1 })) ??
    (await users.findOneAndUpdate(
      { email, googleId: trusted({ $exists: false }), deletedAt: null },
      { $set: { googleId: id } },
      { returnDocument: 'after' },
    ));
  const user = await find();
  if (user) return user;
  try {
    return await users.create({ email, googleId: id, role: 'others', technologies: [] });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another request of the same person was faster, or the email has another account's user.
    const other = await find();
    if (!other) throw unauthorized('This email belongs to the user of another Google account. Please ask an admin.');
    return other;
  }
}
