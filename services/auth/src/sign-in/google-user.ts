import { isDuplicateKey } from '@interview-prep/kit/mongo';
import type { UserModel } from '../users/model.ts';
import type { GoogleAccount } from './google.ts';

/** The user with the account's verified email; made, with role others, where there is none. */
export async function googleUser(users: UserModel, { id, email }: GoogleAccount) {
  const find = () =>
    users.findOneAndUpdate({ email, deletedAt: null }, { $set: { googleId: id } }, { returnDocument: 'after' });
  const user = await find();
  if (user) return user;
  try {
    return await users.create({ email, googleId: id, role: 'others', technologies: [] });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // The same person's other click was faster.
    return await find().orFail();
  }
}
