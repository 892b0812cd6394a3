import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The minimum that drivers accept. Passwords are random and long, so more iterations wouldn't help. */
const iterations = 4096;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((byte, at) => byte ^ (b[at] ?? 0)));

/** The stored credentials of a password. Source: RFC 5802, section 3. */
export interface ScramCredentials {
  /** In Base64. */
  salt: string;
  storedKey: Buffer;
  serverKey: Buffer;
}

/** Derives the credentials of an ASCII password, which SASLprep leaves unchanged. */
export function scramCredentials(password: string): ScramCredentials {
  const salt = randomBytes(28);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  return {
    salt: salt.toString('base64'),
    storedKey: sha256(hmac(salted, 'Client Key')),
    serverKey: hmac(salted, 'Server Key'),
  };
}

/** The attributes of a message: `r=…,s=…`. */
function attributes(message: string): Map<string, string> {
  return new Map(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
}

/** `=2C` and `=3D` stand for the comma and the equals sign. */
const unescapeName = (name: string): string => name.replaceAll('=2C', ',').replaceAll('=3D', '=');

/** A SCRAM-SHA-256 exchange after its first message. */
export interface ScramExchange {
  user: string;
  /** The response to the client's first message. */
  serverFirst: string;
  /** @returns the server's last message; null if the password is wrong */
  finish(clientFinal: string): string | null;
}

/**
 * Starts an exchange. Unknown users go through the same steps, and fail at the end. Source: RFC 5802 and RFC 7677.
 * @param clientFirst `n,,n=user,r=nonce`: without channel binding
 * @returns null for a malformed message
 */
export function beginScram(
  clientFirst: string,
  credentialsOf: (user: string) => ScramCredentials | undefined,
): ScramExchange | null {
  const bare = /^[ny],,(n=([^,]+),r=([\x21-\x2b\x2d-\x7e]+))$/.exec(clientFirst);
  if (!bare) return null;
  const [, clientFirstBare = '', name = '', clientNonce = ''] = bare;
  const user = unescapeName(name);
  const known = credentialsOf(user);
  const credentials = known ?? scramCredentials(randomBytes(18).toString('base64'));
  const nonce = clientNonce + randomBytes(24).toString('base64');
  const serverFirst = `r=${nonce},s=${credentials.salt},i=${iterations}`;
  return {
    user,
    serverFirst,
    finish(clientFinal) {
      const given = attributes(clientFinal);
      const proof = Buffer.from(given.get('p') ?? '', 'base64');
      const withoutProof = clientFinal.slice(0, clientFinal.lastIndexOf(',p='));
      const isFramed = given.get('c') === Buffer.from(clientFirst.slice(0, 3)).toString('base64');
      if (!known || !isFramed || given.get('r') !== nonce || proof.length !== 32) return null;
      const message = `${clientFirstBare},${serverFirst},${withoutProof}`;
      const clientKey = xor(proof, hmac(credentials.storedKey, message));
      if (!timingSafeEqual(sha256(clientKey), credentials.storedKey)) return null;
      return `v=${hmac(credentials.serverKey, message).toString('base64')}`;
    },
  };
}
