import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { correctedWordsMax, correctionRoutes, countWords } from '@interview-prep/contracts/recording/corrections';
import { conflict, forbidden, invalidField, notFound } from '@interview-prep/kit/http/http-error';
import { type RateLimits, signedInUser } from '@interview-prep/kit/http/rate-limits';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { HydratedDocument } from 'mongoose';
import { requireFeedback } from '../assignments/show-feedback.ts';
import type { Recording } from '../recordings/model.ts';
import { queueStage } from '../recordings/queue-stage.ts';
import { type ReprocessDeps, startRun } from '../recordings/start-run.ts';
import { heardTranscript } from './check-correction.ts';
import { plainText } from './correct-words.ts';

/** Corrections and claims per user in 15 minutes. */
const correctionsMax = 30;

/** Claims per answer. With unlimited tries, a candidate would eventually find words that the judge mistakes for a point. */
const claimsMax = 10;

const stillProcessed = 'The answer is still being processed';

export function serveCorrections(server: RouteServer, deps: ReprocessDeps & { limitRate: RateLimits }): void {
  const { models, outbox, limitRate } = deps;
  const correctionLimits = limitRate('corrections', {
    limit: correctionsMax,
    windowMs: 15 * 60_000,
    key: signedInUser,
    message: 'You have made many corrections in a short time.',
  });

  const findOwn = async (id: string, user: TokenClaims): Promise<HydratedDocument<Recording>> => {
    const recording = await models.recordings.findById(id);
    if (!recording || (recording.userId !== user.sub && user.role !== 'admin')) throw notFound('Recording not found');
    if (recording.userId !== user.sub) throw forbidden('Only the person who answered can do this');
    if (recording.awaiting !== undefined || recording.transcription.status !== 'completed')
      throw conflict(stillProcessed);
    await requireFeedback(recording, models);
    if (recording.assessment.review)
      throw conflict('A reviewer has scored this answer, so it can no longer be changed');
    return recording;
  };
  const judgeAgain = async (recording: Recording, $set: Partial<Recording>, requestId: string) => {
    const restarted = await startRun(recording, 'assessment', { $set }, models, requestId);
    if (!restarted) throw conflict(stillProcessed);
    await Promise.all([queueStage(restarted, deps), outbox.publish(restarted)]);
  };
  const pendingVerdict = ({ assessment, kind }: Recording): Partial<Recording> =>
    kind === 'interview' ? { assessment: { ...assessment, status: 'pending' } } : {};

  // Diffing long texts is slow: a worker does it, one at a time per user.
  server.serve(
    correctionRoutes.correctTranscript,
    async ({ params, body, user, req }) => {
      const recording = await findOwn(params.id, user);
      const { transcription, stage, stageStatus, assessment } = recording;
      if (transcription.text.trim() === '') throw conflict('Nothing was heard: please record the answer again');
      const sent = plainText(body.text);
      const unchanged = [transcription.text, heardTranscript(recording).text];
      const text = unchanged.find((one) => plainText(one) === sent) ?? sent;
      if (text === '') throw invalidField('text', 'Transcript is required');
      if (text === transcription.text && !transcription.proposed) throw conflict('The transcript says that already');
      const most = correctedWordsMax(countWords(heardTranscript(recording).text));
      if (countWords(text) > most)
        throw invalidField('text', `The corrected transcript must have at most ${most.toLocaleString('en-US')} words`);
      const before = { stage, stageStatus, status: assessment.status };
      const correction = { userId: user.sub, text, before };
      await judgeAgain(recording, { correction, ...pendingVerdict(recording) }, String(req.id)).catch(
        (error: unknown) => {
          throw isDuplicateKey(error) ? conflict('Another correction of yours is still being compared') : error;
        },
      );
      return { message: 'Checking your edits against the recording' };
    },
    ...correctionLimits,
  );

  server.serve(
    correctionRoutes.claimPoint,
    async ({ params, body, user, req }) => {
      const recording = await findOwn(params.id, user);
      const { assessment, transcription } = recording;
      const point = assessment.points?.[params.point];
      if (recording.kind !== 'interview' || assessment.status !== 'completed' || !point)
        throw notFound('The verdict has no such point');
      if (point.covered) throw conflict('This point is already covered');
      if (body.lastWord >= (transcription.words?.length ?? 0))
        throw invalidField('lastWord', 'The transcript has no such word');
      const { claimCount = 0 } = recording;
      if (claimCount >= claimsMax)
        throw conflict('You have marked words of this answer many times. Please request a human review instead.');
      const claim = { point: params.point, ...body };
      const $set = { claim, claimCount: claimCount + 1, ...pendingVerdict(recording) };
      await judgeAgain(recording, $set, String(req.id));
      return { message: 'Rescoring…' };
    },
    ...correctionLimits,
  );
}
