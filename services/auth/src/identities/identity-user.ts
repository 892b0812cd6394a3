import { conflict, forbidden, unauthorized } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Identity } from '../users/identity-key.ts';
import type { UserModel } from '../users/model.ts';

/** @throws HttpError 403 for an email of another domain than the allowed ones */
function requireDomain(email: string, { domains, provider }: Identity): void {
  if (domains.length === 0 || domains.some((domain) => email.endsWith(`@${domain}`))) return;
  throw forbidden(`Only ${provider} accounts of ${domains.join(', ')} can sign in here.`);
}

/**
 * The user whom an account is linked to. The first time, an account with a verified email makes a user, with the role that the
 * provider's options give it.
 * Never match users by email alone: addresses get reassigned, and providers differ in what they verify.
 * @throws HttpError 401 without a verified email, 403 for a domain that is not allowed, 409 where the email has a user already,
 * 503 while the provider can't be asked
 */
export async function identityUser(users: UserModel, identity: Identity) {
  const { key, provider, domains, profile } = identity;
  const find = () => users.findOne({ identities: key, deletedAt: null });
  const user = await find();
  if (user && domains.length === 0) return user;
  const { email, role } = await profile();
  if (email !== null) requireDomain(email, identity);
  if (user) return user;
  if (email === null) {
    throw unauthorized(
      `${provider} gives no verified email. Sign in as usual, then link it under Sign-in and Security.`,
    );
  }
  try {
    return await users.create({ email, identities: [key], role, technologies: [] });
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
