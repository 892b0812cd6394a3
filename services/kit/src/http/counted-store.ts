import { MemoryStore, type Options, type Store } from 'express-rate-limit';

/**
 * Counts in Redis and in this process's memory; the larger count decides. A restart of Redis loses its counts, and while it is
 * down it has none: either would give an attacker unlimited attempts at a password.
 */
export function createCountedStore(shared: Store & { prefix: string }): Store {
  const own = new MemoryStore();
  let counting: Promise<unknown> = Promise.resolve();
  /** MemoryStore returns its live record, which concurrent requests keep changing: one at a time, and a copy. */
  const countHere = (key: string) => {
    const counted = counting.then(async () => ({ ...(await own.increment(key)) }));
    counting = counted.catch(() => undefined);
    return counted;
  };
  /** A failure of the shared store is ignored: its counts resume once it works. */
  const both = async (work: (store: Store) => unknown) => {
    await work(own);
    await Promise.resolve(work(shared)).catch(() => undefined);
  };
  return {
    // Required: express-rate-limit warns about double counting unless stores have distinct prefixes.
    prefix: shared.prefix,
    init(options: Options) {
      own.init(options);
      shared.init?.(options);
    },
    async increment(key) {
      const counted = await countHere(key);
      try {
        const sharedCount = await shared.increment(key);
        return sharedCount.totalHits < counted.totalHits ? counted : sharedCount;
      } catch {
        return counted;
      }
    },
    decrement: (key) => both((store) => store.decrement(key)),
    resetKey: (key) => both((store) => store.resetKey(key)),
    shutdown: () => own.shutdown(),
  };
}
