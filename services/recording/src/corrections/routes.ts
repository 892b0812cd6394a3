import { correctionRoutes } from '@interview-prep/contracts/corrections';
import type { TokenClaims } from '@interview-prep/contracts/users';
import { badRequest, conflict, forbidden, notFound } from '@interview-prep/kit/http-error';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import type { HydratedDocument } from 'mongoose';
import type { Recording } from '../recordings/model.ts';
import { pendingAssessment } from '../recordings/pending-assessment.ts';
import { queueStage } from '../recordings/queue-stage.ts';
import { type ReprocessDeps, startRun } from '../recordings/start-run.ts';
import { correctedFields } from './correct-transcript.ts';

const stillProcessed = 'The answer is still being processed';

/** Serves the corrections of a transcript, and the claims that a point was made. */
export function serveCorrections(server: RouteServer, deps: ReprocessDeps): void {
  const { models, outbox } = deps;

  const findOwn = async (id: string, user: TokenClaims): Promise<HydratedDocument<Recording>> => {
    const recording = await models.recordings.findById(id);
    if (!recording || (recording.userId !== user.sub && user.role !== 'admin')) throw notFound('Recording not found');
    if (recording.userId !== user.sub) throw forbidden('Only the one who answered may do this');
    if (recording.awaiting !== undefined || recording.transcription.status !== 'completed')
      throw conflict(stillProcessed);
    if (recording.assessment.review) throw conflict('A person has judged this answer: their verdict stands');
    return recording;
  };
  const judgeAgain = async (recording: Recording, $set: Partial<Recording>, requestId: string) => {
    const restarted = await startRun(recording, 'assessment', { $set }, models, requestId);
    if (!restarted) throw conflict(stillProcessed);
    await Promise.all([queueStage(restarted, deps), outbox.publish(restarted)]);
  };

  server.serve(correctionRoutes.correctTranscript, async ({ params, body, user, req }) => {
    const recording = await findOwn(params.id, user);
    if (recording.transcription.text.trim() === '') throw conflict('Nothing was heard: please record the answer again');
    if (body.text === recording.transcription.text) throw conflict('The transcript says that already');
    const fields = correctedFields(recording, body.text);
    if (recording.kind === 'interview') {
      await judgeAgain(recording, { ...fields, claim: null, assessment: pendingAssessment(recording) }, String(req.id));
      return { message: 'Rescoring…' };
    }
    const { _id, run, revision } = recording;
    const written = await models.recordings.findOneAndUpdate(
      { _id, run, revision },
      { $set: { ...fields, unpublished: true }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    );
    if (!written) throw conflict(stillProcessed);
    await outbox.publish(written);
    return { message: 'The transcript is corrected' };
  });

  server.serve(correctionRoutes.claimPoint, async ({ params, body, user, req }) => {
    const recording = await findOwn(params.id, user);
    const { assessment, transcription } = recording;
    const point = assessment.points?.[params.point];
    if (recording.kind !== 'interview' || assessment.status !== 'completed' || !point)
      throw notFound('The verdict has no such point');
    if (point.covered) throw conflict('This point is made already');
    if (body.lastWord >= (transcription.words?.length ?? 0)) {
      const message = 'The transcript has no such word';
      throw badRequest(message, [{ path: 'lastWord', message }]);
    }
    const claim = { point: params.point, ...body };
    await judgeAgain(recording, { claim, assessment: { ...assessment, status: 'pending' } }, String(req.id));
    return { message: 'Rescoring…' };
  });
}
