import { tokenIdentity } from '@interview-prep/kit/access-tokens';
import { isDuplicateKey } from '@interview-prep/kit/mongo';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Connection, type Model, Schema } from 'mongoose';

/** The key that signs access tokens, and what is published of it. */
export interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  /** The JWKS entry: the public half only. */
  publicJwk: JWK;
}

interface StoredKey {
  /** The algorithm: one key for each, so that two processes that start at once end with the same one. */
  _id: string;
  kid: string;
  privateJwk: JWK;
  publicJwk: JWK;
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

/** The signing key of this installation: made at the first start, kept in the database, the same for every auth process. */
export async function loadSigningKey(connection: Connection): Promise<SigningKey> {
  const model = connection.model<StoredKey>('SigningKey', schema);
  const id = tokenIdentity.algorithm;
  const stored = (await model.findById(id).lean()) ?? (await keepNewKey(model, id));
  return {
    kid: stored.kid,
    privateKey: (await importJWK(stored.privateJwk, id)) as CryptoKey,
    publicKey: (await importJWK(stored.publicJwk, id)) as CryptoKey,
    publicJwk: { ...stored.publicJwk, kid: stored.kid, alg: id, use: 'sig' },
  };
}

/** Keeps a new key, unless another process was faster: then that one's. */
async function keepNewKey(model: Model<StoredKey>, id: string): Promise<StoredKey> {
  const { privateKey, publicKey } = await generateKeyPair(id, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const key = {
    _id: id,
    kid: await calculateJwkThumbprint(publicJwk),
    privateJwk: await exportJWK(privateKey),
    publicJwk,
  };
  try {
    await model.create(key);
    return key;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return model.findById(id).orFail().lean();
  }
}
