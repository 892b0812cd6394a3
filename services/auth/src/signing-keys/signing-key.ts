import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { accessTokenProfile } from '@interview-prep/kit/access-tokens';
import { isDuplicateKey } from '@interview-prep/kit/mongo';
import { type Connection, type Model, Schema } from 'mongoose';
import { createSealedSecrets, type SealedSecrets } from '../sealed-secrets.ts';

/** What the sealed key is for, see `SealedSecrets`. */
const purpose = 'signing-key';

/** The key pair that signs access tokens. */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** The JWKS entry: the public half only. */
  publicJwk: JsonWebKey;
}

interface StoredKey {
  /** The algorithm: one key for each, so that processes starting at once all use the same one. */
  _id: string;
  kid: string;
  /** The key, or its JSON encrypted with KEY_ENCRYPTION_KEY. */
  privateJwk: JsonWebKey | string;
  publicJwk: JsonWebKey;
}

const schema = new Schema<StoredKey>(
  {
    _id: { type: String, required: true },
    kid: { type: String, required: true },
    privateJwk: { type: Schema.Types.Mixed, required: true },
    publicJwk: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'signing_keys' },
);

/**
 * Loads this installation's signing key, shared by all auth processes; generates it at the first start. With
 * KEY_ENCRYPTION_KEY the private half is stored encrypted, also one that was stored without before.
 * @throws UnusableSetting where it was encrypted with another KEY_ENCRYPTION_KEY
 */
export async function loadSigningKey(
  connection: Connection,
  secrets: SealedSecrets = createSealedSecrets(undefined),
): Promise<SigningKey> {
  const model = connection.model<StoredKey>('SigningKey', schema);
  const id = accessTokenProfile.algorithm;
  const stored = (await model.findById(id).lean()) ?? (await storeNewKey(model, id, secrets));
  if (secrets.isSealing && typeof stored.privateJwk !== 'string') {
    await model.updateOne({ _id: id, kid: stored.kid }, { $set: { privateJwk: toStore(stored.privateJwk, secrets) } });
  }
  return {
    kid: stored.kid,
    privateKey: createPrivateKey({ key: fromStored(stored.privateJwk, secrets), format: 'jwk' }),
    publicKey: createPublicKey({ key: stored.publicJwk, format: 'jwk' }),
    publicJwk: { ...stored.publicJwk, kid: stored.kid, alg: id, use: 'sig' },
  };
}

/** Stores a new key and returns it, or the key of another process that was faster. */
async function storeNewKey(model: Model<StoredKey>, id: string, secrets: SealedSecrets): Promise<StoredKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = publicKey.export({ format: 'jwk' });
  const privateJwk = toStore(privateKey.export({ format: 'jwk' }), secrets);
  const key = { _id: id, kid: thumbprint(publicJwk), privateJwk, publicJwk };
  try {
    await model.create(key);
    return key;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return model.findById(id).orFail().lean();
  }
}

function toStore(jwk: JsonWebKey, secrets: SealedSecrets): JsonWebKey | string {
  return secrets.isSealing ? secrets.seal(JSON.stringify(jwk), purpose) : jwk;
}

function fromStored(stored: JsonWebKey | string, secrets: SealedSecrets): JsonWebKey {
  return typeof stored === 'string' ? (JSON.parse(secrets.open(stored, purpose)) as JsonWebKey) : stored;
}

/** The SHA-256 thumbprint of an elliptic curve key. Source: RFC 7638, section 3. */
function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
