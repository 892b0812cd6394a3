import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { AuditTrail } from '@interview-prep/kit/audit/audit-trail';
import { unavailable } from '@interview-prep/kit/http/http-error';
import type { Logger } from '@interview-prep/kit/process/logger';
import { repeat } from '@interview-prep/kit/process/repeat';
import { maxTokenLifetimeMs } from '@interview-prep/kit/setting-types';
import type { TokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import { trusted } from 'mongoose';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import {
  kindOf,
  openKey,
  readStoredKeys,
  resealKey,
  type StoredKey,
  type StoredKeyModel,
  storeNewKey,
} from './stored-keys.ts';

/** A retired key keeps its private half for this long, in case another process signs with it once more. */
const graceMs = 60_000;

/** The state of each stored key at one time. Every process computes the same plan. */
interface KeyPlan {
  /** The key that signs; undefined before the first one is made. */
  signing: StoredKey | undefined;
  /** Keys whose tokens are accepted: the next key, the signing key, and retired ones. */
  published: StoredKey[];
  /** Keys whose tokens are all refused. */
  revoked: StoredKey[];
  /** Retired keys whose private half can be deleted. */
  toStrip: StoredKey[];
  /** Keys whose last token has expired. */
  toDelete: StoredKey[];
  /** Whether the newest key is old enough to create the next one. */
  isNextDue: boolean;
}

interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

/** This installation's signing keys, shared by all auth processes. */
export interface Keyring {
  /** @throws HttpError 503 if no key may sign */
  signing(): SigningKey;
  /** The public key with this id if its tokens are accepted; otherwise undefined. */
  find(kid: string | undefined): KeyObject | undefined;
  /** The JWKS entries: the public halves of the keys whose tokens are, or soon may be, accepted. */
  published(): (JsonWebKey & { kid: string })[];
  stop(): Promise<void>;
}

/** The keyring's storage, encryption and settings. */
interface KeyringDeps {
  model: StoredKeyModel;
  secrets: SealedSecrets;
  denylist: Pick<TokenDenylist, 'revokeKey'>;
  audit: Pick<AuditTrail, 'record'>;
  log: Logger;
  /** The age at which a key is replaced, 90 by default; 0 never replaces it. */
  rotationDays?: number;
  /** The time in ms since 1970, which tests control. */
  now?: (() => number) | undefined;
  /** How often the stored keys are read, to find keys created by another process or a command; five seconds by default. */
  pollMs?: number | undefined;
}

/**
 * Opens the keyring, and creates the first key. From then on it follows the stored keys, creates a key when the newest is too
 * old, and cleans up. Each step is one write that any process may repeat, so a kill leaves nothing half done.
 * @throws UnusableSetting if a key was encrypted with another KEY_ENCRYPTION_KEY
 */
export async function openKeyring(deps: KeyringDeps): Promise<Keyring> {
  const { model, secrets, denylist, audit, log, rotationDays = 90, now = Date.now, pollMs = 5000 } = deps;
  let keys: StoredKey[] = [];
  const privateKeys = new Map<string, KeyObject>();
  const publicKeys = new Map<string, KeyObject>();
  const plan = () => planKeys(keys, now(), rotationDays);

  const read = async () => {
    const found = await readStoredKeys(model);
    const { signing, isNextDue } = planKeys(found, now(), rotationDays);
    if (!signing || isNextDue) {
      const latest = found.at(-1)?._id ?? 0;
      await storeNewKey(model, { latest, cause: signing ? 'age' : 'first', nowMs: now() }, secrets);
    }
    // Keep the known keys until there are others.
    keys = signing && !isNextDue ? found : await readStoredKeys(model);
  };
  const importKeys = () => {
    const { published } = plan();
    for (const { kid, privateJwk, publicJwk } of published) {
      if (publicJwk && !publicKeys.has(kid)) publicKeys.set(kid, createPublicKey({ key: publicJwk, format: 'jwk' }));
      if (privateJwk !== undefined && !privateKeys.has(kid)) {
        privateKeys.set(kid, createPrivateKey({ key: openKey(privateJwk, secrets), format: 'jwk' }));
      }
    }
    const kids = new Set(published.map(({ kid }) => kid));
    for (const known of [privateKeys, publicKeys])
      for (const kid of known.keys()) if (!kids.has(kid)) known.delete(kid);
  };
  /** Cleans up after rotations. */
  const settle = async () => {
    const { published, revoked, toStrip, toDelete } = plan();
    for (const { _id, kid, publicJwk } of revoked) {
      if (publicJwk === undefined) continue;
      await denylist.revokeKey(kid, maxTokenLifetimeMs);
      await model.updateOne({ _id }, { $unset: { privateJwk: 1, publicJwk: 1 } });
    }
    for (const { _id } of toStrip) await model.updateOne({ _id }, { $unset: { privateJwk: 1 } });
    for (const { _id } of toDelete) await model.deleteOne({ _id });
    for (const { _id, kid, cause, auditEvent } of keys) {
      if (auditEvent === undefined) continue;
      const details = { cause, signs: kindOf(model).signs };
      const facts = { action: 'signing-key.rotate', target: `signing-key:${kid}`, details } as const;
      await audit.record({ id: auditEvent, outcome: 'success', ...facts });
      await model.updateOne({ _id }, { $unset: { auditEvent: 1 } });
      log.info({ kid, cause }, 'the signing key was rotated');
    }
    for (const { _id, privateJwk } of published) {
      const sealed = privateJwk === undefined ? null : resealKey(privateJwk, secrets);
      // Match the stored key: it may have been removed in the meantime.
      if (sealed !== null)
        await model.updateOne({ _id, privateJwk: trusted({ $exists: true }) }, { privateJwk: sealed });
    }
  };
  const follow = async () => {
    await read();
    importKeys();
    await settle();
  };

  await read();
  importKeys();
  const stop = repeat(pollMs, follow, (error) =>
    log.warn({ err: error }, 'could not refresh the signing keys; it will be retried'),
  );

  return {
    signing() {
      const kid = plan().signing?.kid ?? '';
      const privateKey = privateKeys.get(kid);
      if (!privateKey) throw unavailable('Signing in is not possible right now. Please try again.');
      return { kid, privateKey };
    },
    find: (kid) => (plan().published.some((key) => key.kid === kid) ? publicKeys.get(kid ?? '') : undefined),
    published: () =>
      plan().published.flatMap(({ kid, publicJwk }) =>
        publicJwk ? [{ ...publicJwk, kid, alg: kindOf(model).algorithm, use: 'sig' }] : [],
      ),
    stop,
  };
}

/** The keys whose tokens are all refused, for restoring a denylist. */
export async function revokedKids(model: StoredKeyModel): Promise<string[]> {
  return planKeys(await readStoredKeys(model), Date.now(), 0).revoked.map(({ kid }) => kid);
}

/**
 * @param keys all stored keys, by number
 * @param rotationDays the age at which a key is replaced; 0 never replaces it
 */
function planKeys(keys: readonly StoredKey[], nowMs: number, rotationDays: number): KeyPlan {
  const revocation = keys.findLast(({ cause }) => cause === 'revocation');
  const isRevoked = ({ _id }: StoredKey) => revocation !== undefined && _id < revocation._id;
  const valid = keys.filter((key) => !isRevoked(key));
  const started = valid.filter(({ signsFrom }) => signsFrom.getTime() <= nowMs);
  // If this process's clock is behind, the only key may not have started yet.
  const signing = started.at(-1) ?? valid[0];
  const newest = valid.at(-1);

  /** How long ago a key stopped signing; negative if it may still sign. */
  const retiredForMs = (key: StoredKey) => {
    const successor = isRevoked(key) ? revocation : started.find(({ _id }) => _id > key._id);
    return successor === undefined ? Number.NEGATIVE_INFINITY : nowMs - successor.signsFrom.getTime();
  };
  const hasEnded = (key: StoredKey) => retiredForMs(key) > maxTokenLifetimeMs + graceMs;
  return {
    signing,
    published: valid.filter((key) => !hasEnded(key)),
    revoked: keys.filter((key) => isRevoked(key) && !hasEnded(key)),
    toStrip: valid.filter((key) => key.privateJwk !== undefined && retiredForMs(key) > graceMs),
    toDelete: keys.filter(hasEnded),
    isNextDue:
      newest !== undefined && rotationDays > 0 && nowMs - newest.signsFrom.getTime() > rotationDays * 24 * 3_600_000,
  };
}
