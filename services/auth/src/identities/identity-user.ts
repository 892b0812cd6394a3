import { conflict, unauthorized } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Identity } from '../users/identity-key.ts';
import type { UserModel } from '../users/model.ts';

/**
 * The user whom an account is linked to. The first time, an account with a verified email makes a user with the role `others`.
 * An email alone leads to nobody's user: mailboxes are given to others, and providers differ in what they verify.
 * @throws HttpError 401 without a verified email, 503 while the provider can't be asked for it, 409 where the email has a user already
 */
export async function identityUser(users: UserModel, { key, provider, verifiedEmail }: Identity) {
  const find = () => users.findOne({ identities: key, deletedAt: null });
  const user = await find();
  if (user) return user;
  const email = await verifiedEmail();
  if (email === null) {
    throw unauthorized(
      `${provider} gives no verified email. Sign in as usual, then link it under Sign-in and Security.`,
    );
  }
  try {
    return await users.create({ email, identities: [key], role: 'others', technologies: [] });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another request of the same person was faster, or the email has a user.
    const other = await find();
    if (other) return other;
    throw conflict(
      `There is an account with this email already. Sign in as usual, then link ${provider} under Sign-in and Security.`,
    );
  }
}
