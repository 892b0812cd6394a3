import { stateOf } from '@interview-prep/contracts/recording/point-states';
import { type EarlierAnswer, earlierAnswersMax, trialRoutes } from '@interview-prep/contracts/recording/trials';
import { questionKey } from '@interview-prep/contracts/text/question-text';
import { notFound } from '@interview-prep/kit/http/http-error';
import { type RateLimits, signedInUser } from '@interview-prep/kit/http/rate-limits';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';
import type { Session } from '../sessions/model.ts';
import type { TrialQueue } from './trial-queue.ts';

export interface TrialDeps {
  models: Pick<RecordingModels, 'recordings' | 'sessions'>;
  trials: TrialQueue;
  limitRate: RateLimits;
}

/** Trials per admin: each briefly occupies a worker's judge. */
const trialsPerMinute = 30;
/** How many of a set's newest interviews are searched for answers to a question. */
const sessionsMax = 500;
const firstWordsMax = 12;

export function serveTrials(server: RouteServer, { models, trials, limitRate }: TrialDeps): void {
  const trialLimits = limitRate('trials-minute', {
    limit: trialsPerMinute,
    windowMs: 60_000,
    key: signedInUser,
    message: 'You have tried many answers in a short time.',
  });
  server.serve(
    trialRoutes.tryPoints,
    async ({ body: { question, points, answer, recordingId } }) => {
      if (recordingId !== undefined) {
        const recording = await models.recordings.findById(recordingId).select('transcription').lean<Recording>();
        if (!recording) throw notFound('Recording not found');
        const { status, text } = recording.transcription;
        if (status !== 'completed' || text.trim() === '') throw notFound('This recording has no transcript');
      }
      return trials.judge({ question, points, answer, recordingId });
    },
    ...trialLimits,
  );

  server.serve(
    trialRoutes.checkPoints,
    async ({ body: { question, points } }) => {
      // Exclude the question's words: judges give no credit for repeating it.
      const verdict = await trials.judge({ question: '', points, answer: question });
      return {
        inQuestion: points.map((_, index) => {
          const found = verdict.points[index];
          return found !== undefined && ['covered', 'partial'].includes(stateOf(found));
        }),
      };
    },
    ...trialLimits,
  );

  server.serve(trialRoutes.listEarlierAnswers, async ({ body: { setId, question } }) => {
    const key = questionKey(question);
    const sessions = await models.sessions
      .find({ setId, kind: 'interview' })
      .sort({ createdAt: -1 })
      .limit(sessionsMax)
      .select('questions')
      .lean<Pick<Session, '_id' | 'questions'>[]>();
    const asked = sessions.flatMap(({ _id, questions }) => {
      const questionId = questions.findIndex((each) => questionKey(each) === key);
      return questionId < 0 ? [] : [{ session: _id, questionId }];
    });
    if (asked.length === 0) return { answers: [] };
    const recordings = await models.recordings
      .find({ $or: asked, 'transcription.status': 'completed', 'transcription.text': trusted({ $ne: '' }) })
      .sort({ createdAt: -1 })
      .limit(earlierAnswersMax)
      .select('createdAt correctnessPercentage transcription.text')
      .lean<Recording[]>();
    return { answers: recordings.map(presentAnswer) };
  });
}

function presentAnswer({ _id, createdAt, correctnessPercentage, transcription }: Recording): EarlierAnswer {
  const words = transcription.text.trim().split(/\s+/);
  return {
    recordingId: _id.toHexString(),
    createdAt: createdAt.toISOString(),
    correctnessPercentage,
    firstWords: words.slice(0, firstWordsMax).join(' ') + (words.length > firstWordsMax ? '…' : ''),
  };
}
