import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { deletionRoutes } from '@interview-prep/contracts/recording/deletions';
import { notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Deletions } from './deletion-log.ts';

export interface DeletionRouteDeps {
  models: RecordingModels;
  deletions: Deletions;
}

const mayDelete = (owner: { userId: string } | null, user: TokenClaims): boolean =>
  owner !== null && (user.role === 'admin' || owner.userId === user.sub);

export function serveDeletions(server: RouteServer, { models, deletions }: DeletionRouteDeps): void {
  server.serve(deletionRoutes.deleteAnswer, async ({ params, user }) => {
    const recording = await models.recordings.findById(params.recordingId, 'userId sessionId questionId').lean();
    if (!recording || !mayDelete(recording, user)) throw notFound('Recording not found');
    const { sessionId, questionId } = recording;
    // A follow-up question reveals what the answer missed: delete it too, along with its answers.
    const session = await models.sessions.findOne({ sessionId }, 'followUps').lean();
    const followUps = (session?.followUps ?? []).filter(({ parentQuestionId }) => parentQuestionId === questionId);
    const questions = [questionId, ...followUps.map((followUp) => followUp.questionId)];
    const takes = await models.recordings
      .find({ sessionId, questionId: trusted({ $in: questions }) }, 'questionId sha256')
      .lean();
    const targetOf = ({ _id, questionId, sha256 }: (typeof takes)[number]) =>
      ({ kind: 'answer', recordingId: _id.toHexString(), sessionId, questionId, sha256 }) as const;
    await deletions.request(...takes.map(targetOf));
    return null;
  });
  server.serve(deletionRoutes.deleteSession, async ({ params, user }) => {
    const session = await models.sessions.findById(params.id, 'userId sessionId').lean();
    if (!session || !mayDelete(session, user)) throw notFound('Session not found');
    await deletions.request({ kind: 'session', sessionId: session.sessionId });
    return null;
  });
}
