import { MemoryStore, type Options, type Store } from 'express-rate-limit';

/**
 * Counts in a shared store and, at the same time, in the memory of this process. The larger count decides, so that a shared
 * store that fails, or has lost its counts, gives nobody more attempts.
 */
export function createCountedStore(shared: Store & { prefix: string }): Store {
  const own = new MemoryStore();
  let counting: Promise<unknown> = Promise.resolve();
  /** The memory answers with the record itself, which other requests go on counting: one at a time, and a copy. */
  const countHere = (key: string) => {
    const counted = counting.then(async () => ({ ...(await own.increment(key)) }));
    counting = counted.catch(() => undefined);
    return counted;
  };
  /** Also where the shared store fails: it is counted again once it works. */
  const both = async (work: (store: Store) => unknown) => {
    await work(own);
    await Promise.resolve(work(shared)).catch(() => undefined);
  };
  return {
    // By it express-rate-limit tells apart the limits that count one request; two without look like one that counts twice.
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
