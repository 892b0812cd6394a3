import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../load/journal.ts';
import type { Upload } from '../load/uploads.ts';
import type { System } from '../system/system.ts';
import { openStores, type Stores } from './stores.ts';

/** Nothing may be pending for longer after a fault has ended. */
export const PENDING_LIMIT_MS = 90_000;
const POLL_MS = 500;

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(4000) });
    return ((await response.json()) as { status: string }).status === 'ok';
  } catch {
    return false;
  }
}

/** The recordings of these ids that are not through, with the reason. */
async function findPending(stores: Stores, ids: readonly string[]): Promise<Map<string, string>> {
  const [stored, shown] = await Promise.all([stores.recordings(ids), stores.shownRecordings(ids)]);
  const revisions = new Map(shown.map(({ id, revision }) => [id, revision]));
  const pending = new Map<string, string>();
  for (const { id, awaiting, isUnpublished, revision } of stored) {
    if (awaiting) pending.set(id, `awaits ${awaiting}`);
    else if (isUnpublished) pending.set(id, 'is not published');
    else if (revisions.get(id) !== revision) {
      pending.set(id, `has revision ${revision}, and history ${revisions.get(id) ?? 'nothing'}`);
    }
  }
  return pending;
}

/**
 * Waits until the product is healthy and these uploads are through, at most 90 s; reports those that are not.
 * @returns how long it took, in ms
 */
export async function settle(system: System, uploads: readonly Upload[], journal: Journal): Promise<number> {
  const startedAt = journal.now();
  let pending = new Map<string, string>();
  let ids = uploads.flatMap(({ recordingId }) => recordingId ?? []);
  let stores: Stores | undefined;
  let isSettled = false;
  try {
    while (!isSettled && journal.now() - startedAt < PENDING_LIMIT_MS) {
      if (await isHealthy(system.url)) {
        stores ??= await openStores(system.backing());
        pending = await findPending(stores, ids).catch(() => pending);
        ids = [...pending.keys()];
        isSettled = ids.length === 0;
      }
      if (!isSettled) await pause(POLL_MS);
    }
  } finally {
    await stores?.close();
  }
  if (!isSettled && ids.length === 0) journal.report('pending', 'The product is not healthy 90 s after the fault');
  for (const [id, why] of pending) {
    const upload = uploads.find(({ recordingId }) => recordingId === id);
    journal.report('pending', `Recording ${id} ${why} 90 s after the fault`, upload?.operation.subject);
  }
  return journal.now() - startedAt;
}
