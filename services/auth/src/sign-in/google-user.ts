import { isDuplicateKey } from '@interview-prep/kit/mongo';
import type { UserModel } from '../users/model.ts';
import type { GoogleAccount } from './google.ts';

/** The user with the account's verified email; a new one gets the role `others`. */
export async function googleUser(users: UserModel, { id, email }: GoogleAccount) {
  const find = () =>
    users.findOneAndUpdate({ email, deletedAt: null }, { $set: { googleId: id } }, { returnDocument: 'after' });
  const user = await find();
  if (user) return user;
  try {
    return await users.create({ email, googleId: id, role: 'others', technologies: [] });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another request of the same person was faster.
    return await find().orFail();
  }
}
