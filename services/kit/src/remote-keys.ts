import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/**
 * Finds the public key of a `kid`; undefined where no such key was published.
 * @throws where the published keys can't be fetched
 */
export type KeySource = (kid: string | undefined) => Promise<KeyObject | undefined>;

const timeoutMs = 3000;

/** Unknown key ids cause at most one fetch in this time. */
const cooldownMs = 2000;

/** The members of a P-256 verification key; keys of other kinds are skipped. Source: RFC 7517, RFC 7518 section 6.2. */
const VerificationKey = z.object({
  kid: z.string(),
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
  x: z.string(),
  y: z.string(),
});
const KeySet = z.object({ keys: z.array(z.unknown()) });

/**
 * The keys of a JWKS endpoint: fetched at the first token, and again when an unknown key id turns up. Known keys stay for as
 * long as the process lives, so that signed-in users can keep working while auth is down.
 */
export function remoteKeys(jwksUrl: string): KeySource {
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  const refresh = async () => {
    keys = await fetchKeys(jwksUrl);
    fetchedAtMs = performance.now();
  };
  return async (kid) => {
    if (kid === undefined) return undefined;
    const known = keys.get(kid);
    if (known || performance.now() - fetchedAtMs < cooldownMs) return known;
    fetching ??= refresh().finally(() => {
      fetching = undefined;
    });
    await fetching;
    return keys.get(kid);
  };
}

async function fetchKeys(jwksUrl: string): Promise<Map<string, KeyObject>> {
  const response = await fetch(jwksUrl, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (response.status !== 200) throw new Error(`the key endpoint answered ${response.status}`);
  const { keys } = KeySet.parse(await response.json());
  return new Map(
    keys.flatMap((entry) => {
      const key = VerificationKey.safeParse(entry).data;
      return key ? [[key.kid, createPublicKey({ key: key as JsonWebKey, format: 'jwk' })] as const] : [];
    }),
  );
}
