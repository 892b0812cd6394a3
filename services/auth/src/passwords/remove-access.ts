import { randomUUID } from 'node:crypto';
import type { OtherAccess } from '@interview-prep/contracts/auth/password-reset';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import { resetTicketProfile } from '@interview-prep/kit/tokens/reset-tickets';
import { signToken } from '@interview-prep/kit/tokens/signed-token';
import type { Auth } from '../auth.ts';
import { linkedProviders } from '../identities/providers.ts';
import { presentPasskey } from '../passkeys/model.ts';
import { revokeTokensNow } from '../revoked-tokens/revoke-tokens-now.ts';
import type { Keyring } from '../signing-keys/keyring.ts';
import { requireUser } from '../users/find-user.ts';
import type { UserRecord } from '../users/model.ts';

/** Long enough to read the page that follows a reset. */
const ticketSeconds = 15 * 60;

/** @param issuedAtMs from when on tokens of the user are valid, in ms since 1970 */
export function signResetTicket(keyring: Pick<Keyring, 'signing'>, user: Pick<UserRecord, '_id'>, issuedAtMs: number) {
  const { kid, privateKey } = keyring.signing();
  const iat = issuedAtMs / 1000;
  const claims = { sub: user._id.toHexString(), jti: randomUUID(), iat, exp: Math.ceil(iat) + ticketSeconds };
  return signToken(resetTicketProfile, privateKey, claims, kid);
}

type Access = Pick<Auth, 'passkeyRecords' | 'factorRoles' | 'providers'>;

/** What opens an account besides its password. */
export async function findOtherAccess(auth: Access, user: UserRecord): Promise<OtherAccess> {
  const { passkeyRecords, factorRoles, providers } = auth;
  const passkeys = await passkeyRecords.find({ userId: user._id }).sort({ createdAt: 1 }).lean();
  const linked = linkedProviders(providers, user.identities).filter(({ isLinked }) => isLinked);
  return {
    passkeys: passkeys.map(presentPasskey),
    // Whoever reads the mail must not get rid of the second factor by it.
    keepsPasskeys: passkeys.length > 0 && factorRoles.has(user.role) && user.totp === undefined,
    providers: linked.map(({ name }) => name),
  };
}

/**
 * Removes a user's passkeys, unless they are the second factor that the role needs, and their linked accounts, and ends their
 * API keys, and ends their sign-ins. Recording ends their share links, as it learns from the published user.
 * @returns what is left
 * @throws HttpError 401 if the user is deleted, 503 where tokens would still be accepted
 */
export async function removeAccess(auth: Auth, userId: string): Promise<OtherAccess> {
  const { users, outbox, locks, passkeyRecords, apiKeys, webhooks, challenges, signIns, revokedTokens } = auth;
  await revokedTokens.requireRevocable();
  return locks.run('ways-in', async () => {
    const user = await requireUser(users, userId);
    const { keepsPasskeys } = await findOtherAccess(auth, user);
    // First: where the process ends in between, the ticket still works.
    await apiKeys.deleteMany({ userId: user._id });
    await webhooks.webhooks.deleteMany({ userId: user._id });
    if (!keepsPasskeys) await passkeyRecords.deleteMany({ userId: user._id });
    const changed = await users.findOneAndUpdate(
      { _id: user._id, deletedAt: null },
      {
        $inc: bumpRevision.$inc,
        $set: { ...bumpRevision.$set, ...revokeTokensNow().fields, sharesEndedAt: new Date() },
        $unset: { identities: 1, pendingTotp: 1, reset: 1 },
      },
      { returnDocument: 'after' },
    );
    if (!changed) return { passkeys: [], keepsPasskeys: false, providers: [] };
    await challenges.forget(changed._id);
    await signIns.forget(changed._id);
    await revokedTokens.revokeUserTokens(changed);
    await outbox.publish(changed);
    return findOtherAccess(auth, changed.toObject());
  });
}
