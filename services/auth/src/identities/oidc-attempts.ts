import { createHash, randomBytes } from 'node:crypto';
import { type Connection, Schema, trusted } from 'mongoose';
import { z } from 'zod';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import { dropOldest } from '../store/drop-oldest.ts';

/** How long a user may take at the provider. */
const lifetimeMs = 10 * 60_000;

/** The `purpose` that these secrets are sealed for. */
const purpose = 'oidc-attempt';

/** The values that the provider's response must match. */
const Checks = z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() });
type OidcChecks = z.infer<typeof Checks>;

/** A pending sign-in or link at the provider. MongoDB deletes it when it expires. */
interface OidcAttempt {
  /** SHA-256 of the window's secret. */
  _id: string;
  /** The user linking an account; null for a sign-in. */
  userId: string | null;
  /** `OidcChecks` as JSON, sealed. */
  checks: string;
  expiresAt: Date;
}

const schema = new Schema<OidcAttempt>(
  {
    _id: { type: String, required: true },
    userId: { type: String, default: null },
    checks: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'oidc_attempts' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ userId: 1, expiresAt: 1 });

const idOf = (attempt: string) => createHash('sha256').update(attempt).digest('base64url');

/** The sign-ins and links waiting for the provider's response. Each accepts one response. */
export interface OidcAttempts {
  /** @param userId the user linking an account; null for a sign-in. @returns the window's secret */
  add(userId: string | null, checks: OidcChecks): Promise<string>;
  /** Ends an attempt. Null if it is unknown, used or expired, or was begun by or for another user. */
  use(attempt: string, userId: string | null): Promise<OidcChecks | null>;
}

export function oidcAttempts(connection: Connection, secrets: SealedSecrets): OidcAttempts {
  const model = connection.model<OidcAttempt>('OidcAttempt', schema);
  return {
    async add(userId, checks) {
      const attempt = randomBytes(32).toString('base64url');
      await model.create({
        _id: idOf(attempt),
        userId,
        checks: secrets.seal(JSON.stringify(checks), purpose),
        expiresAt: new Date(Date.now() + lifetimeMs),
      });
      await dropOldest(model, userId);
      return attempt;
    },
    async use(attempt, userId) {
      const open = { _id: idOf(attempt), userId, expiresAt: trusted({ $gt: new Date() }) };
      const found = await model.findOneAndDelete(open).lean();
      return found && Checks.parse(JSON.parse(secrets.open(found.checks, purpose)));
    },
  };
}
