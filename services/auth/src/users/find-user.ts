import { unauthorized } from '@interview-prep/kit/http/http-error';
import type { UserModel } from './model.ts';

/** Finds the user of a token. @throws HttpError 401 if the user is deleted */
export async function requireUser(users: UserModel, id: string) {
  const user = await users.findOne({ _id: id, deletedAt: null }).lean();
  if (!user) throw unauthorized('You have been signed out. Please sign in again.');
  return user;
}
