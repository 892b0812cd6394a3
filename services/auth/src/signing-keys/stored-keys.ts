import { createHash, generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { type Connection, type Model, Schema } from 'mongoose';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';

/** The `purpose` that signing keys are sealed for. */
const purpose = 'signing-key';

/** Key sets that are stored and rotated the same way: for access tokens, and for LTI, which requires RSA. */
const keyKinds = {
  'access-token': {
    signs: 'access tokens',
    model: 'SigningKey',
    collection: 'signing_keys',
    algorithm: 'ES256',
    generate: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  },
  lti: {
    signs: 'requests to learning platforms',
    model: 'LtiKey',
    collection: 'lti_keys',
    algorithm: 'RS256',
    generate: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  },
} as const;
type KeyKind = keyof typeof keyKinds;

/** Why a key was created. A `revocation` refuses every token signed by an earlier key. */
export type KeyCause = 'first' | 'age' | 'command' | 'revocation';

/** A stored signing key. Its state depends only on numbers, causes and times, see `planKeys`. */
export interface StoredKey {
  /** 1, 2, 3…: if two processes create the next key at the same time, only one succeeds. */
  _id: number;
  /** The SHA-256 thumbprint of the public half. */
  kid: string;
  cause: KeyCause;
  createdAt: Date;
  /** Later than `createdAt`, so that verifiers know the key before the first token arrives. */
  signsFrom: Date;
  /** The key, or its JSON encrypted with KEY_ENCRYPTION_KEY. Removed once the key no longer signs. */
  privateJwk?: JsonWebKey | string;
  /** Removed once a revoked key is in the denylist. */
  publicJwk?: JsonWebKey;
  /** The id of the audit event of this rotation, until it is recorded. */
  auditEvent?: string;
}

export type StoredKeyModel = Model<StoredKey>;

const schema = new Schema<StoredKey>({
  _id: { type: Number, required: true },
  kid: { type: String, required: true },
  cause: { type: String, required: true },
  createdAt: { type: Date, required: true },
  signsFrom: { type: Date, required: true },
  privateJwk: { type: Schema.Types.Mixed },
  publicJwk: { type: Schema.Types.Mixed },
  auditEvent: { type: String },
});

export function storedKeyModel(connection: Connection, kind: KeyKind = 'access-token'): StoredKeyModel {
  const { model, collection } = keyKinds[kind];
  return connection.model<StoredKey>(model, schema, collection);
}

export function kindOf(model: StoredKeyModel): (typeof keyKinds)[KeyKind] {
  return model.collection.name === keyKinds.lti.collection ? keyKinds.lti : keyKinds['access-token'];
}

/** The time from a key's creation to its first signature, by which all processes and verifiers have read it. */
export const publishLeadMs = 10_000;

/**
 * Stores a new key, in one write. It signs after `publishLeadMs`, or immediately if it is the first or a revocation.
 * @param latest the highest number so far
 * @returns null if another process just stored a key with the same number
 */
export async function storeNewKey(
  model: StoredKeyModel,
  { latest, cause, nowMs }: { latest: number; cause: KeyCause; nowMs: number },
  secrets: SealedSecrets,
): Promise<StoredKey | null> {
  const { privateKey, publicKey } = kindOf(model).generate();
  const privateJwk = privateKey.export({ format: 'jwk' });
  const publicJwk = publicKey.export({ format: 'jwk' });
  const isUrgent = cause === 'first' || cause === 'revocation';
  const key: StoredKey = {
    _id: latest + 1,
    kid: thumbprint(publicJwk),
    cause,
    createdAt: new Date(nowMs),
    signsFrom: new Date(isUrgent ? nowMs : nowMs + publishLeadMs),
    privateJwk: resealKey(privateJwk, secrets) ?? privateJwk,
    publicJwk,
    ...(cause === 'first' ? {} : { auditEvent: randomUUID() }),
  };
  try {
    await model.create(key);
    return key;
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

export function readStoredKeys(model: StoredKeyModel): Promise<StoredKey[]> {
  return model.find().sort({ _id: 1 }).lean();
}

/**
 * Creates the next signing key, even if other processes do so concurrently. The running auth processes do the rest.
 * @throws UnusableSetting if KEY_ENCRYPTION_KEY can't decrypt the stored keys
 */
export async function rotateSigningKey(
  model: StoredKeyModel,
  secrets: SealedSecrets,
  cause: Extract<KeyCause, 'command' | 'revocation'>,
): Promise<StoredKey> {
  for (;;) {
    const keys = await readStoredKeys(model);
    // A key that auth can't decrypt would end every sign-in.
    for (const { privateJwk } of keys) if (privateJwk !== undefined) openKey(privateJwk, secrets);
    const made = await storeNewKey(model, { latest: keys.at(-1)?._id ?? 0, cause, nowMs: Date.now() }, secrets);
    if (made) return made;
  }
}

/** The private key sealed with the current KEY_ENCRYPTION_KEY; null if it already is, or the setting is unset. */
export function resealKey(stored: JsonWebKey | string, secrets: SealedSecrets): string | null {
  if (typeof stored === 'string') return secrets.reseal(stored, purpose);
  return secrets.isSealing ? secrets.seal(JSON.stringify(stored), purpose) : null;
}

/** @throws UnusableSetting if it was encrypted with another KEY_ENCRYPTION_KEY */
export function openKey(stored: JsonWebKey | string, secrets: SealedSecrets): JsonWebKey {
  return typeof stored === 'string' ? (JSON.parse(secrets.open(stored, purpose)) as JsonWebKey) : stored;
}

/** The SHA-256 thumbprint of a public key's required members, in alphabetical order. Source: RFC 7638, section 3. */
function thumbprint({ crv, e, kty, n, x, y }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, e, kty, n, x, y })).digest('base64url');
}
