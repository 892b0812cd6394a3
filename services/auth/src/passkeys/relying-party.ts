import { isIP } from 'node:net';

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** Its host: a passkey works there alone. */
  id: string;
  origin: string;
}

/**
 * The site at PUBLIC_URL. Passkeys need a name: the loopback address counts as `localhost`, which people may type in its place.
 * @returns null for any other address
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const url = new URL(publicUrl);
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (address === '::1' || /^127\./.test(address)) url.hostname = 'localhost';
  else if (isIP(address)) return null;
  return { id: url.hostname, origin: url.origin };
}
