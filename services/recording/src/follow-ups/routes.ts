import { followUpsMax } from '@interview-prep/contracts/recording/asked-questions';
import { followUpRoutes } from '@interview-prep/contracts/recording/follow-ups';
import { notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { Types, trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';

/** Serves a session's unanswered follow-up questions to its candidate. */
export function serveFollowUps(
  server: RouteServer,
  { models }: { models: Pick<RecordingModels, 'sessions' | 'recordings'> },
): void {
  server.serve(followUpRoutes.listFollowUps, async ({ params, user }) => {
    const _id = new Types.ObjectId(params.id);
    // Read this before the session: an answer judged in between has already added its question there.
    const awaited = await models.recordings
      .find({ session: _id, run: 1, awaiting: trusted({ $exists: true }) }, 'questionId')
      .lean();
    const session = await models.sessions
      .findOne({ _id, userId: user.sub, kind: 'interview' })
      .select('questions followUps asksFollowUps')
      .lean();
    if (!session) throw notFound('Interview not found.');
    const { questions, followUps = [], asksFollowUps } = session;
    const mayFollow = (questionId: number) =>
      !followUps.some((one) => one.questionId === questionId || one.parentQuestionId === questionId);
    const answered = await models.recordings.distinct('questionId', { session: _id });
    const open = followUps.filter(({ questionId }) => !answered.includes(questionId) && questions[questionId] !== '');
    return {
      followUps: open.map((one) => ({ ...one, question: questions[one.questionId] ?? '' })),
      pending:
        asksFollowUps === true &&
        followUps.length < followUpsMax &&
        awaited.some(({ questionId }) => mayFollow(questionId)),
    };
  });
}
