import type { Stage } from '@interview-prep/contracts/recording/recordings';
import type { RecordingModels } from '../models.ts';

/** The latest pending write of each user in this process. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Gives a user's next answer its turn in a stage, and writes it: round-robin between users, counted from the turn that is served
 * now. Turns come from MongoDB, so they outlast Redis.
 * @param write writes the recording, awaiting the stage, with its turn
 */
export function takeTurn<Result>(
  userId: string,
  stage: Stage,
  { recordings }: Pick<RecordingModels, 'recordings'>,
  write: (turn: number) => Promise<Result>,
): Promise<Result> {
  const take = async () => {
    const turnOf = async (of: { userId?: string }, order: 1 | -1) => {
      const found = await recordings
        .findOne({ ...of, awaiting: stage }, { turn: 1 })
        .sort({ turn: order })
        .lean();
      return found?.turn;
    };
    const [now = 1, own = 0] = await Promise.all([turnOf({}, 1), turnOf({ userId }, -1)]);
    return write(Math.max(now, own + 1));
  };
  // One at a time for each user, or answers sent at the same time would get the same turn. Two processes may still do that.
  const taken = (lines.get(userId) ?? Promise.resolve()).then(take);
  const settled = taken.catch(() => {});
  lines.set(userId, settled);
  void settled.then(() => {
    if (lines.get(userId) === settled) lines.delete(userId);
  });
  return taken;
}
