import { conflict, forbidden, unauthorized } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Identity } from '../users/identity-key.ts';
import type { UserModel } from '../users/model.ts';

/** @throws HttpError 403 if the email's domain isn't allowed */
function requireDomain(email: string, { domains, provider }: Identity): void {
  if (domains.length === 0 || domains.some((domain) => email.endsWith(`@${domain}`))) return;
  throw forbidden(`Only ${provider} accounts of ${domains.join(', ')} can sign in here.`);
}

/**
 * The user linked to an account. On the first sign-in with a verified email, creates a user with the role that the
 * provider's options assign.
 * Never match users by email alone: addresses get reassigned, and providers differ in what they verify.
 * @throws HttpError 401 without a verified email, 403 for a domain that is not allowed, 409 if the email is already taken,
 * 503 while the provider is unavailable
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
    // A concurrent request created the user, or the email is taken.
    const other = await find();
    if (other) return other;
    throw conflict(
      `There is an account with this email already. Sign in as usual, then link ${provider} under Sign-in and Security.`,
    );
  }
}
