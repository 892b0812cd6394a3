import { setTimeout as pause } from 'node:timers/promises';
import { answersHttp } from '@interview-prep/local/readiness';
import type { Journal } from '../load/journal.ts';
import type { LivePages } from '../load/live-pages.ts';
import type { Upload } from '../load/uploads.ts';
import { type Component, SERVICES } from '../system/processes.ts';
import type { System } from '../system/system.ts';
import { openStores, type Stores } from './stores.ts';

/** Everything must have settled within this time after a fault. */
export const PENDING_LIMIT_MS = 90_000;
const POLL_MS = 500;

/** Services that are down or not ready; each replica counts. */
async function findUnready(system: System): Promise<Component[]> {
  const running = Map.groupBy(system.processes(), ({ component }) => component);
  const ready = await Promise.all(
    SERVICES.map(async (service) => {
      const copies = running.get(service) ?? [];
      const answers = copies.map(({ port }) => port !== undefined && answersHttp(`http://127.0.0.1:${port}/readyz`));
      return copies.length >= system.copies && (await Promise.all(answers)).every(Boolean);
    }),
  );
  return SERVICES.filter((_service, index) => !ready[index]);
}

/** The unfinished recordings among these ids, with the reason, and the missing ones. */
async function findPending(stores: Stores, ids: readonly string[]) {
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
  const storedIds = new Set(stored.map(({ id }) => id));
  return { pending, missing: ids.filter((id) => !storedIds.has(id)) };
}

/**
 * Waits up to 90 s until the product is healthy and these uploads are processed; reports those that are not.
 * @param onHealthy called once the product is healthy, or the wait times out
 * @returns how long it took, in ms
 */
export async function settle(
  system: System,
  uploads: readonly Upload[],
  journal: Journal,
  onHealthy: () => void = () => undefined,
): Promise<number> {
  const startedAt = journal.now();
  let pending = new Map<string, string>();
  let ids = uploads.flatMap(({ recordingId }) => recordingId ?? []);
  let stores: Stores | undefined;
  const subjectOf = (id: string) => uploads.find(({ recordingId }) => recordingId === id)?.operation.subject;
  let unready: Component[] = [];
  let wasHealthy = false;
  let isSettled = false;
  try {
    while (!isSettled && journal.now() - startedAt < PENDING_LIMIT_MS) {
      unready = await findUnready(system);
      if (unready.length === 0) {
        if (!wasHealthy) onHealthy();
        wasHealthy = true;
        // MongoDB may have been killed since the readiness check.
        stores ??= await openStores(system.backing()).catch(() => undefined);
        const found = stores && (await findPending(stores, ids).catch(() => undefined));
        if (found) {
          pending = found.pending;
          ids = [...pending.keys()];
          isSettled = ids.length === 0;
          for (const id of found.missing) journal.report('lost', `Recording ${id} is not stored`, subjectOf(id));
        }
      }
      if (!isSettled) await pause(POLL_MS);
    }
  } finally {
    await stores?.close();
  }
  if (!wasHealthy) onHealthy();
  if (unready.length > 0) journal.report('pending', `Not ready 90 s after the fault: ${unready.join(', ')}`);
  for (const [id, why] of pending) {
    journal.report('pending', `Recording ${id} ${why} 90 s after the fault`, subjectOf(id));
  }
  return journal.now() - startedAt;
}

/** Waits up to 90 s until the open pages show these processed uploads; reports those that don't. */
export async function settlePages(
  pages: readonly LivePages[],
  uploads: readonly Upload[],
  journal: Journal,
): Promise<void> {
  const deadline = journal.now() + PENDING_LIMIT_MS;
  const wanted = new Set(uploads);
  for (const { openNew } of pages) openNew();
  const findStale = () => pages.flatMap(({ stale }) => stale()).filter((upload) => wanted.has(upload));
  while (findStale().length > 0 && journal.now() < deadline) await pause(POLL_MS);
  for (const { recordingId, operation } of findStale()) {
    const what = `An open page shows recording ${recordingId} as pending 90 s after it was through`;
    journal.report('live', what, operation.subject);
  }
}
