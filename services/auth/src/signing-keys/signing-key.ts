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
  privateJwk: JsonWebKey;
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

/** Loads this installation's signing key, shared by all auth processes; generates it at the first start. */
export async function loadSigningKey(connection: Connection): Promise<SigningKey> {
  const model = connection.model<StoredKey>('SigningKey', schema);
  const id = accessTokenProfile.algorithm;
  const stored = (await model.findById(id).lean()) ?? (await storeNewKey(model, id));
  return {
    kid: stored.kid,
    privateKey: createPrivateKey({ key: stored.privateJwk, format: 'jwk' }),
    publicKey: createPublicKey({ key: stored.publicJwk, format: 'jwk' }),
    publicJwk: { ...stored.publicJwk, kid: stored.kid, alg: id, use: 'sig' },
  };
}

/** Stores a new key and returns it, or the key of another process that was faster. */
async function storeNewKey(model: Model<StoredKey>, id: string): Promise<StoredKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = publicKey.export({ format: 'jwk' });
  const key = { _id: id, kid: thumbprint(publicJwk), privateJwk: privateKey.export({ format: 'jwk' }), publicJwk };
  try {
    await model.create(key);
    return key;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return model.findById(id).orFail().lean();
  }
}

/** The SHA-256 thumbprint of an elliptic curve key. Source: RFC 7638, section 3. */
function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
