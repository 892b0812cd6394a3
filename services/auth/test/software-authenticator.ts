import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { StartedAuth } from './start-auth.ts';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** A passkey of an authenticator in software. Source: WebAuthn level 3, sections 6.1 and 7. */
export interface SoftwarePasskey {
  id: string;
  privateKey: KeyObject;
  /** The public key as COSE. */
  publicKey: Buffer;
}

export function makePasskey(): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  const coordinates = [x, y].map((text) => new Uint8Array(Buffer.from(text, 'base64url')));
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinates[0]!],
    [-3, coordinates[1]!],
  ]);
  return { id: randomBytes(16).toString('base64url'), privateKey, publicKey: Buffer.from(isoCBOR.encode(cose)) };
}

/** Stores a passkey that the server then knows. */
export async function storePasskey(started: StartedAuth, userId: string, counter = 0): Promise<SoftwarePasskey> {
  const passkey = makePasskey();
  await started.auth.passkeyRecords.create({
    _id: passkey.id,
    userId,
    publicKey: passkey.publicKey,
    counter,
    isSynced: false,
    createdAt: new Date(),
  });
  return passkey;
}

/** What the authenticator signs, and what an attack changes of it. */
export interface Signed {
  challenge: string;
  origin?: string;
  host?: string;
  /** User present 1, user verified 4. */
  flags?: number;
  counter?: number;
}

/** The answer of an authenticator that uses a passkey. */
export function assertion({ id, privateKey }: Pick<SoftwarePasskey, 'id' | 'privateKey'>, signed: Signed) {
  const { challenge, origin = 'https://prep.example.com', host = 'prep.example.com', flags = 5, counter = 1 } = signed;
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
export function registration({ id, publicKey }: SoftwarePasskey, challenge: string) {
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin: 'https://prep.example.com' });
  const rawId = Buffer.from(id, 'base64url');
  const head = Buffer.alloc(5);
  // Present, verified, with a credential; a counter of 0.
  head.writeUInt8(0x45);
  const idLength = Buffer.alloc(2);
  idLength.writeUInt16BE(rawId.length);
  const authData = Buffer.concat([sha256('prep.example.com'), head, Buffer.alloc(16), idLength, rawId, publicKey]);
  const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', new Uint8Array(authData)],
  ]);
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
    },
    clientExtensionResults: {},
  };
}
