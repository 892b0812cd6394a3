import type { Stage } from '@interview-prep/contracts/recording/recordings';
import type { RecordingModels } from '../models.ts';

/** The latest pending write of each user in this process. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Assigns a user's next answer its turn in a stage, and writes it: round-robin between users, starting from the turn being served
 * now. Turns are stored in MongoDB, so they survive the loss of Redis.
 * @param write writes the recording with its turn
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
  // Serialize per user, or concurrent answers would get the same turn. Across processes that can still happen.
  const taken = (lines.get(userId) ?? Promise.resolve()).then(take);
  const settled = taken.catch(() => {});
  lines.set(userId, settled);
  void settled.then(() => {
    if (lines.get(userId) === settled) lines.delete(userId);
  });
  return taken;
}
