import { type DraftCipher, draftCipher } from './draft-cipher.ts';

/** The delays between attempts to fetch the key; the last one repeats. */
const retryMs = [1000, 2000, 5000, 15_000, 30_000] as const;

interface Holding {
  userId: string;
  cipher: DraftCipher | null;
  /** Resolves after the first attempt, with or without a key. */
  firstTry: Promise<void>;
}

/** The key of the signed-in user, in memory only. */
let holding: Holding | null = null;

/**
 * Fetches the key of a user's drafts, with retries, and holds it until the returned function is called. Does nothing
 * outside a secure context, where nothing can be recorded.
 * @param fetchKey the key as base64url; rejects if it is unavailable for now
 * @param onArrived called once, with the key's cipher
 */
export function holdDraftKey(
  userId: string,
  fetchKey: () => Promise<string>,
  onArrived: (cipher: DraftCipher) => void,
): () => void {
  if (!globalThis.crypto.subtle) return () => {};
  const own: Holding = { userId, cipher: null, firstTry: Promise.resolve() };
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = async () => {
    try {
      const cipher = await draftCipher(await fetchKey());
      if (holding !== own) return;
      own.cipher = cipher;
      onArrived(cipher);
    } catch {
      if (holding !== own) return;
      timer = setTimeout(attempt, retryMs[Math.min(tries, retryMs.length - 1)]);
      tries += 1;
    }
  };
  holding = own;
  own.firstTry = attempt();
  return () => {
    clearTimeout(timer);
    if (holding === own) holding = null;
  };
}

/** The cipher of a user's drafts; null while there is no key. */
export function heldCipher(userId: string): DraftCipher | null {
  return holding?.userId === userId ? holding.cipher : null;
}

/** Like `heldCipher`, but waits up to `waitMs` for the first attempt to fetch the key. */
export async function waitForCipher(userId: string, waitMs: number): Promise<DraftCipher | null> {
  const own = holding;
  if (own?.userId !== userId) return null;
  if (own.cipher === null) {
    await Promise.race([own.firstTry, new Promise((resolve) => setTimeout(resolve, waitMs))]);
  }
  return own.cipher;
}
