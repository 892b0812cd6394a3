import { z } from 'zod';
import { idParams, requiredText, timestamp } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';
import { ApiScope } from '../api/scopes.ts';

/** Maximum number of API keys per user. */
export const apiKeysMax = 20;

/** Maximum lifetime of a key, in days. */
export const apiKeyDaysMax = 366;

/** Prefix of every key, so that secret scanners can detect leaked keys. */
export const apiKeyPrefix = 'ipp_';

/** A key as its owner and admins see it. The secret itself is shown only once. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(ApiScope),
  /** The first characters of the key, to tell keys apart. */
  start: z.string(),
  owner: z.object({ userId: z.string(), email: z.string() }),
  createdAt: timestamp,
  expiresAt: timestamp,
  /** Rounded to the minute; null for never. */
  lastUsedAt: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

const auth = routesOf('auth');
const daysMessage = `Days must be a whole number from 1 to ${apiKeyDaysMax}`;

/** Routes for API keys, with which other systems act for an admin or a coach. */
export const apiKeyRoutes = {
  listApiKeys: auth.get('/api/auth/api-keys', 'signed-in', {
    summary: "One's own API keys; all users' keys for admins",
    description: 'Newest first. The keys themselves are not stored, so the response does not contain them.',
    result: z.object({ keys: z.array(ApiKey) }),
  }),
  createApiKey: auth.post('/api/auth/api-keys', 'signed-in', {
    summary: 'Create an API key',
    description: `For admins and coaches; requires a fresh sign-in. Only this response contains the key, which is sent as a bearer token. At most ${apiKeysMax} per user.`,
    body: z.object({
      name: requiredText('Name', limits.nameMaxLength),
      scopes: z
        .array(z.enum(ApiScope.options, 'This scope is not known'), 'Please choose at least one scope')
        .min(1, 'Please choose at least one scope')
        .max(ApiScope.options.length, 'Please choose each scope once'),
      days: z.int(daysMessage).min(1, daysMessage).max(apiKeyDaysMax, daysMessage),
    }),
    status: 201,
    result: z.object({ key: ApiKey, secret: z.string() }),
    errorStatuses: [403, 409],
    audit: { action: 'api-key.create' },
  }),
  revokeApiKey: auth.delete('/api/auth/api-keys/:id', 'signed-in', {
    summary: 'Revoke an API key',
    description: "One's own; admins can revoke anyone's. Takes effect immediately in every service.",
    params: idParams,
    errorStatuses: [404],
    audit: { action: 'api-key.revoke', target: 'api-key' },
  }),
  exchangeApiKey: auth.post('/api/auth/api-keys/token', 'anyone', {
    summary: 'Exchange an API key for an access token',
    description:
      "Valid for one minute, for the operations that the key's scopes allow. The gateway does this exchange for requests with an API key as bearer token, so clients don't have to. 401 if the key's owner is suspended, deleted, or no longer an admin or a coach.",
    body: z.object({
      key: z.string('The key is missing').trim().min(1, 'The key is missing').max(200, 'The key is too long'),
    }),
    result: z.object({ token: z.string(), expiresAt: timestamp }),
    errorStatuses: [401, 429],
  }),
};
