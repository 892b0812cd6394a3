import { setTimeout as pause } from 'node:timers/promises';
import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { RecordingModels } from '../models.ts';
import type { SetCopy } from './model.ts';
import { findSetRevision, graceMs, type SetContent } from './set-revision.ts';

const pauseMs = 100;

/**
 * The content of a set from which a session may begin; null where there is none. It is the revision that catalog showed
 * as of `shown`, where that is known, and else the newest. A set that was just created or edited may not have been told
 * of yet: looks again for `patienceMs`.
 */
export async function findSet(
  { sets, setRevisions }: Pick<RecordingModels, 'sets' | 'setRevisions'>,
  {
    setId,
    kind,
    shown,
    patienceMs,
  }: { setId: string; kind: SessionKind; shown?: Date | undefined; patienceMs: number },
): Promise<SetContent | null> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const set = await sets.findOne({ _id: setId }).lean<SetCopy>();
    if (set && (!isBehind(set, shown) || Date.now() >= deadline)) {
      const open = set.deletedAt === null || set.deletedAt.getTime() > Date.now() - graceMs;
      if (set.kind !== kind || !open) return null;
      if (shown === undefined || set.updatedAt?.getTime() === shown.getTime()) return set;
      return (await findSetRevision(setId, shown, setRevisions)) ?? set;
    }
    if (Date.now() >= deadline) return null;
    await pause(pauseMs);
  }
}

/** Whether a newer revision than the copy was shown already. */
const isBehind = ({ updatedAt }: SetCopy, shown: Date | undefined) =>
  shown !== undefined && updatedAt !== undefined && updatedAt < shown;
