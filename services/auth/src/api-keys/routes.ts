import { createHash, randomBytes } from 'node:crypto';
import { type ApiKey, apiKeyPrefix, apiKeyRoutes, apiKeysMax } from '@interview-prep/contracts/auth/api-keys';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { conflict, forbidden, notFound, unauthorized } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { requireUser } from '../users/find-user.ts';
import type { UserRecord } from '../users/model.ts';
import type { StoredApiKey } from './model.ts';

const dayMs = 24 * 60 * 60_000;

/** The lifetime of a key's token, after which its owner's permissions are checked again. */
const tokenSeconds = 60;

const hashOf = (key: string) => createHash('sha256').update(key).digest('base64url');

/** The `jti` of a key's tokens. */
const tokenIdOf = ({ _id }: Pick<StoredApiKey, '_id'>): string => `key-${_id}`;

/** A key without its secret. */
export function presentApiKey({ _id, hash: _, ...key }: StoredApiKey, email: string): ApiKey {
  return {
    id: String(_id),
    name: key.name,
    scopes: key.scopes,
    start: key.start,
    owner: { userId: String(key.userId), email },
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}

export function serveApiKeys(server: RouteServer, auth: Auth): void {
  const { users, apiKeys, groups, requireFreshSignIn, revokedTokens, signAccessToken, limits } = auth;

  const mayHaveKeys = async ({ _id, role }: Pick<UserRecord, '_id' | 'role'>) =>
    role === 'admin' || groups.isCoach(String(_id));

  server.serve(apiKeyRoutes.listApiKeys, async ({ user: { sub, role } }) => {
    const keys = await apiKeys
      .find(role === 'admin' ? {} : { userId: sub })
      .sort({ createdAt: -1 })
      .lean();
    const owners = await users.find({ _id: trusted({ $in: keys.map(({ userId }) => userId) }) }, 'email').lean();
    const emails = new Map(owners.map(({ _id, email }) => [String(_id), email]));
    return { keys: keys.map((key) => presentApiKey(key, emails.get(String(key.userId)) ?? '')) };
  });

  server.serve(apiKeyRoutes.createApiKey, async ({ body: { name, scopes, days }, user, res }) => {
    requireFreshSignIn(user);
    const { _id: userId, email, role } = await requireUser(users, user.sub);
    if (!(await mayHaveKeys({ _id: userId, role }))) throw forbidden('API keys are for admins and coaches');
    const secret = `${apiKeyPrefix}${randomBytes(32).toString('base64url')}`;
    const createdAt = new Date();
    const key = await apiKeys.create({
      userId,
      name,
      scopes: [...new Set(scopes)],
      hash: hashOf(secret),
      start: secret.slice(0, apiKeyPrefix.length + 6),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + days * dayMs),
    });
    // Count after the insert, so that concurrent requests can't exceed the limit.
    if ((await apiKeys.countDocuments({ userId })) > apiKeysMax) {
      await apiKeys.deleteOne({ _id: key._id });
      throw conflict(`You have ${apiKeysMax} API keys. Revoke one first.`);
    }
    addToAudit(res, { target: `api-key:${key._id}`, details: { scopes: key.scopes.join(', ') } });
    return { key: presentApiKey(key.toObject(), email), secret };
  });

  server.serve(apiKeyRoutes.revokeApiKey, async ({ params, user: { sub, role } }) => {
    await revokedTokens.requireRevocable();
    const key = await apiKeys.findOneAndDelete({ _id: params.id, ...(role === 'admin' ? {} : { userId: sub }) }).lean();
    if (!key) throw notFound('API key not found');
    await revokedTokens.revokeSignIn({ jti: tokenIdOf(key), exp: Date.now() / 1000 + tokenSeconds });
    return null;
  });

  server.serveAnyone(
    apiKeyRoutes.exchangeApiKey,
    async ({ body }) => {
      const issuedAtMs = Date.now();
      const key = await apiKeys
        .findOneAndUpdate(
          { hash: hashOf(body.key), expiresAt: trusted({ $gt: new Date() }) },
          { $set: { lastUsedAt: new Date() } },
        )
        .lean();
      const owner = key && (await users.findOne({ _id: key.userId, deletedAt: null, suspendedAt: null }).lean());
      if (!owner || !(await mayHaveKeys(owner))) throw unauthorized('This API key does not work.');
      const exp = Math.ceil(issuedAtMs / 1000) + tokenSeconds;
      return {
        token: signAccessToken(owner, issuedAtMs, { jti: tokenIdOf(key), exp, scopes: key.scopes }),
        expiresAt: new Date(exp * 1000).toISOString(),
      };
    },
    ...limits.apiKey,
  );
}
