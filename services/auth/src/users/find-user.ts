import { unauthorized } from '@interview-prep/kit/http-error';
import type { UserModel } from './model.ts';

/** The bearer of a token. @throws HttpError 401 where the user is gone */
export async function requireUser(users: UserModel, id: string) {
  const user = await users.findOne({ _id: id, deletedAt: null }).lean();
  if (!user) throw unauthorized('Your session has ended. Please sign in again.');
  return user;
}
