import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** A passkey of an authenticator in software. Source: WebAuthn level 3, sections 6.1 and 7. */
export interface SoftwarePasskey {
  id: string;
  privateKey: KeyObject;
  /** The public key as COSE. */
  publicKey: Buffer;
}

/** Makes an ES256 passkey. */
export function makePasskey(): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const [bytesX, bytesY] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  // CBOR of {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
  const cose = [Buffer.from('a5010203262001215820', 'hex'), bytesX, Buffer.from('225820', 'hex'), bytesY];
  return { id: randomBytes(16).toString('base64url'), privateKey, publicKey: Buffer.concat(cose) };
}

/** What the authenticator signs, and what an attack changes of it. */
export interface SignedChallenge {
  challenge: string;
  origin: string;
  /** The relying party. */
  host: string;
  /** User present 1, user verified 4. */
  flags?: number;
  counter?: number;
}

/** The answer of an authenticator that uses a passkey. */
export function assertion(
  { id, privateKey }: Pick<SoftwarePasskey, 'id' | 'privateKey'>,
  { challenge, origin, host, flags = 5, counter = 0 }: SignedChallenge,
) {
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags);
  tail.writeUInt32BE(counter, 1);
  const authenticatorData = Buffer.concat([sha256(host), tail]);
  const signature = createSign('sha256').update(authenticatorData).update(sha256(clientData)).sign(privateKey);
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    },
    clientExtensionResults: {},
  };
}

/** The answer of an authenticator that has made a passkey, without attestation. */
export function registration(
  { id, publicKey }: SoftwarePasskey,
  { challenge, origin, host }: Pick<SignedChallenge, 'challenge' | 'origin' | 'host'>,
) {
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin });
  const rawId = Buffer.from(id, 'base64url');
  // Present, verified, with a credential; a counter of 0, and no kind of authenticator.
  const head = Buffer.concat([sha256(host), Buffer.from('4500000000', 'hex'), Buffer.alloc(16)]);
  const authData = Buffer.concat([head, Buffer.from([0, rawId.length]), rawId, publicKey]);
  // CBOR of {fmt: 'none', attStmt: {}, authData}.
  const attestation = [
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
    Buffer.from([authData.length]),
    authData,
  ];
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
      attestationObject: Buffer.concat(attestation).toString('base64url'),
    },
    clientExtensionResults: {},
  };
}
