import { maxTokenLifetimeMs } from '@interview-prep/kit/settings';
import type { StoredKey } from './stored-keys.ts';

/** A retired key keeps its private half for this long, in case another process signs with it once more. */
const graceMs = 60_000;

/** What each stored key may do at a moment. Every process comes to the same plan. */
export interface KeyPlan {
  /** The key that signs; undefined before the first one is made. */
  signing: StoredKey | undefined;
  /** Those whose tokens are accepted: the next key, the one that signs, and retired ones. */
  published: StoredKey[];
  /** Those whose tokens are all refused. */
  revoked: StoredKey[];
  /** Retired ones whose private half is no longer needed. */
  toStrip: StoredKey[];
  /** Those whose last token has expired. */
  toDelete: StoredKey[];
  /** Whether the newest key has reached the age at which a next one is made. */
  isNextDue: boolean;
}

/**
 * @param keys all stored keys, by number
 * @param rotationDays the age at which a key is replaced; 0 never replaces it
 */
export function planKeys(keys: readonly StoredKey[], nowMs: number, rotationDays: number): KeyPlan {
  const revocation = keys.findLast(({ cause }) => cause === 'revocation');
  const isRevoked = ({ _id }: StoredKey) => revocation !== undefined && _id < revocation._id;
  const valid = keys.filter((key) => !isRevoked(key));
  const started = valid.filter(({ signsFrom }) => signsFrom.getTime() <= nowMs);
  // By a clock that is behind, the only key may not have started yet.
  const signing = started.at(-1) ?? valid[0];
  const newest = valid.at(-1);

  /** How long ago a key signed for the last time; negative for one that may still sign. */
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
