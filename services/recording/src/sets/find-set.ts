import { setTimeout as pause } from 'node:timers/promises';
import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { Model } from 'mongoose';
import type { SetCopy } from './model.ts';

/** Someone who began before the deletion may take this long to send a first answer. */
const graceMs = 24 * 60 * 60 * 1000;
const pauseMs = 100;

/**
 * The copy of a set from which a session may begin; null where there is none. A set that was just created may not have
 * been told of yet: looks again for `patienceMs`.
 */
export async function findSet(
  sets: Model<SetCopy>,
  { setId, kind, patienceMs }: { setId: string; kind: SessionKind; patienceMs: number },
): Promise<SetCopy | null> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const set = await sets.findOne({ _id: setId }).lean<SetCopy>();
    if (set) {
      const open = set.deletedAt === null || set.deletedAt.getTime() > Date.now() - graceMs;
      return set.kind === kind && open ? set : null;
    }
    if (Date.now() >= deadline) return null;
    await pause(pauseMs);
  }
}
