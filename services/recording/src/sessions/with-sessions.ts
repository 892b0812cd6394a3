import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';
import { type Session, withSetOfQuestion } from './model.ts';

/** Recordings with their sessions, in the given order. Skips recordings whose session was just deleted. */
export async function withSessions(
  recordings: readonly Recording[],
  models: RecordingModels,
): Promise<{ recording: Recording; session: Session }[]> {
  const ids = [...new Set(recordings.map(({ session }) => session.toHexString()))];
  const sessions = await models.sessions.find({ _id: trusted({ $in: ids }) }).lean<Session[]>();
  const byId = new Map(sessions.map((session) => [session._id.toHexString(), session]));
  return recordings.flatMap((recording) => {
    const session = byId.get(recording.session.toHexString());
    return session ? [{ recording, session: withSetOfQuestion(session, recording.questionId) }] : [];
  });
}
