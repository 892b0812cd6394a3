import type { ProviderId } from '@interview-prep/contracts/auth/identities';
import { conflict, notFound } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { requireUser } from '../users/find-user.ts';
import type { Identity } from '../users/identity-key.ts';
import { keysOfOtherProviders, linkedProviders } from './providers.ts';

/**
 * Links a provider's account to a user, who can sign in with it from then on.
 * @throws HttpError 409 if it belongs to another user, or the user has another account at the provider
 */
export async function linkIdentity(auth: Auth, userId: string, id: ProviderId, { key, provider }: Identity) {
  const { users, providers, locks } = auth;
  const own = providers.find((each) => each.id === id);
  if (!own) throw notFound('This provider is not set up');
  await locks.run('ways-in', async () => {
    const { _id, identities = [] } = await requireUser(users, userId);
    if (identities.includes(key)) return;
    if (keysOfOtherProviders(own, identities).length < identities.length) {
      throw conflict(`Another ${provider} account is linked already. Unlink it first.`);
    }
    try {
      await users.updateOne({ _id, deletedAt: null }, { $set: { identities: [...identities, key] } });
    } catch (error) {
      throw isDuplicateKey(error) ? conflict(`This ${provider} account signs in another user.`) : error;
    }
  });
}

/**
 * Unlinks a provider's account from a user.
 * @throws HttpError 404 if none is linked, 409 if the user would be locked out
 */
export async function unlinkIdentity(auth: Auth, userId: string, id: ProviderId): Promise<void> {
  const { users, providers, locks } = auth;
  const provider = providers.find((each) => each.id === id);
  await locks.run('ways-in', async () => {
    const { _id, identities = [] } = await requireUser(users, userId);
    const left = provider ? keysOfOtherProviders(provider, identities) : identities;
    if (left.length === identities.length) throw notFound('No account of this provider is linked');
    await assertStillHasLogin(auth, userId, { identities: left });
    // An empty array would get an entry in the unique index.
    const change = left.length > 0 ? { $set: { identities: left } } : { $unset: { identities: 1 as const } };
    await users.updateOne({ _id, deletedAt: null }, change);
  });
}

/**
 * Call it under the lock `ways-in`, before removing a sign-in method.
 * @param after the linked accounts that remain, or the passkey that is removed
 * @throws HttpError 409 if no password, passkey or account of a configured provider would remain
 */
export async function assertStillHasLogin(
  { users, providers, passkeyRecords, passkeySite }: Auth,
  userId: string,
  after: { identities?: readonly string[]; withoutPasskey?: string },
): Promise<void> {
  const user = await requireUser(users, userId);
  if (user.passwordHash !== undefined) return;
  if (linkedProviders(providers, after.identities ?? user.identities).some(({ isLinked }) => isLinked)) return;
  const { withoutPasskey } = after;
  const others = withoutPasskey === undefined ? {} : { _id: trusted({ $ne: withoutPasskey }) };
  if (passkeySite && (await passkeyRecords.exists({ userId: user._id, ...others }))) return;
  throw conflict('You could not sign in any more. Set a password first: "Forgot your password?" on the login screen.');
}
