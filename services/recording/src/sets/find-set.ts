import { setTimeout as pause } from 'node:timers/promises';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { RecordingModels } from '../models.ts';
import type { SetContent, SetCopy } from './model.ts';
import { findSetRevision, graceMs } from './set-revision.ts';

const pauseMs = 100;

/**
 * The content for a new session of a set: the revision that the candidate was shown, else the newest. A set that
 * was just created or edited may not have arrived yet: waits up to `patienceMs` for it.
 * @param shown `setUpdatedAt`: the `updatedAt` of the set that the candidate was shown
 * @returns null if there is no such set, or it was deleted more than a day ago
 */
export async function findSet(
  { sets, setRevisions }: Pick<RecordingModels, 'sets' | 'setRevisions'>,
  { setId, kind, setUpdatedAt }: { setId: string; kind: SessionKind; setUpdatedAt?: string | undefined },
  patienceMs: number,
): Promise<SetContent | null> {
  const shownUpdatedAt = setUpdatedAt === undefined ? undefined : new Date(setUpdatedAt);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const set = await sets.findOne({ _id: setId }).lean<SetCopy>();
    if (set && (!isBehind(set, shownUpdatedAt) || Date.now() >= deadline)) {
      // A deleted set still works for candidates who have it on their screen.
      const isOpen = set.deletedAt === null || set.deletedAt.getTime() > Date.now() - graceMs;
      if (set.kind !== kind || !isOpen) return null;
      if (shownUpdatedAt === undefined || set.updatedAt?.getTime() === shownUpdatedAt.getTime()) return set;
      return (await findSetRevision(setId, shownUpdatedAt, setRevisions)) ?? set;
    }
    if (Date.now() >= deadline) return null;
    await pause(pauseMs);
  }
}

/** Whether the candidate was shown a newer revision than the copy. */
const isBehind = ({ updatedAt }: SetCopy, shownUpdatedAt: Date | undefined) =>
  shownUpdatedAt !== undefined && updatedAt !== undefined && updatedAt < shownUpdatedAt;
