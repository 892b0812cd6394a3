import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/**
 * Finds the public key with a `kid`; undefined if no such key is published.
 * @throws if the published keys can't be fetched
 */
export type KeySource = (kid: string | undefined) => Promise<KeyObject | undefined>;

/** A fetch that takes longer fails. */
const timeoutMs = 3000;

/** The pause after a fetch that failed or didn't return the key: anyone can send tokens with unknown key ids. */
const cooldownMs = 2000;

/** Keys are fetched again after this time, to drop those that auth no longer publishes. */
const maxAgeMs = 5 * 60_000;

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
 * The keys of a JWKS endpoint: fetched for the first token, for an unknown key id, and every 5 minutes. If a fetch fails, the
 * known keys stay, so that signed-in users can keep working while auth is down.
 */
export function remoteKeys(jwksUrl: string): KeySource {
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  /** The fetch in progress; otherwise the latest one if it didn't return its key. */
  let latest: { outcome: Promise<void>; endedAtMs?: number } | undefined;

  const fetchNow = async () => {
    keys = await fetchKeys(jwksUrl);
    fetchedAtMs = performance.now();
  };
  const refresh = (kid: string): Promise<void> => {
    if (latest && (latest.endedAtMs === undefined || performance.now() - latest.endedAtMs < cooldownMs))
      return latest.outcome;
    const fetching: typeof latest = { outcome: Promise.resolve() };
    fetching.outcome = fetchNow()
      .then(() => {
        if (keys.has(kid)) latest = undefined;
      })
      .finally(() => {
        fetching.endedAtMs = performance.now();
      });
    latest = fetching;
    return fetching.outcome;
  };
  return async (kid) => {
    if (kid === undefined) return undefined;
    const known = keys.get(kid);
    if (known) {
      // Refresh in the background. If that fails, the next token retries it.
      if (performance.now() - fetchedAtMs >= maxAgeMs) refresh(kid).catch(() => undefined);
      return known;
    }
    await refresh(kid);
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
