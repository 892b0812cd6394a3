import { join } from 'node:path';
import { buildIndexes, connectMongo } from '@interview-prep/kit/mongo/mongo';
import { createLogger } from '@interview-prep/kit/process/logger';
import { Types } from 'mongoose';
import { countSession } from '../../../services/history/src/projection/count-session.ts';
import { historyModels } from '../../../services/history/src/projection/model.ts';
import { projectionVersion } from '../../../services/history/src/projection/rebuild.ts';
import { type Measure, quantile, timed } from './measure.ts';
import { startOwnHistory } from './own-history.ts';

const questions = Array.from({ length: 20 }, (_, index) => `Question number ${index + 1}, and what is it about?`);
const takeCounts = { one: 1, five: 5 };
const wordsPerAnswer = 300;
const requests = 200;
const prefix = 'takes-';
const at = '2026-06-01T00:00:00.000Z';
const log = createLogger('bench', 'warn');

const words = Array.from({ length: wordsPerAnswer }, (_, index) => ({
  word: `word${index}`,
  startMs: index * 400,
  endMs: index * 400 + 350,
  confidence: 0.9,
}));

/** A take as published by recording: two minutes of speech with words, and a verdict with eight points. */
function takeOf(entryId: Types.ObjectId, questionId: number, take: number) {
  const _id = new Types.ObjectId();
  const points = Array.from({ length: 8 }, (_, index) => ({
    text: `Point ${index}`,
    covered: true,
    evidence: 'word1',
  }));
  const snapshot = {
    recordingId: _id.toHexString(),
    questionId,
    take,
    createdAt: at,
    mediaType: 'audio/webm',
    durationMs: 120_000,
    peaks: Array.from({ length: 200 }, () => 0.5),
    stage: 'assessment',
    stageStatus: 'completed',
    transcription: { status: 'completed', text: words.map(({ word }) => word).join(' '), words, completedAt: at },
    isCorrect: true,
    correctnessPercentage: 70,
    chatGPTResponse: 'The expert answer.',
    assessment: { status: 'completed', engine: 'reference', points },
    revision: 5,
  };
  return { _id, entryId, questionId, take, revision: 5, snapshot, projectionVersion };
}

/** Stores an interview of 20 questions with this many takes each. @returns its id */
async function fill(mongodbUri: string, userId: string, takeCount: number): Promise<string> {
  const mongo = await connectMongo({ MONGODB_URI: mongodbUri, MONGODB_PREFIX: prefix }, 'history', log);
  const models = historyModels(mongo);
  await buildIndexes(mongo);
  const _id = new Types.ObjectId();
  const takes = questions.flatMap((_, questionId) =>
    Array.from({ length: takeCount }, (_, index) => takeOf(_id, questionId, index + 1)),
  );
  await models.recordings.collection.insertMany(takes as never[]);
  await models.sessions.collection.insertOne({
    _id,
    userId,
    questions,
    technology: 'JavaScript',
    createdAt: new Date(at),
    user: { email: 'user@example.com', role: 'others', lastLogin: null },
    sessionId: _id.toHexString(),
    kind: 'interview',
    listKind: 'interview',
    setId: _id.toHexString(),
    title: 'Twenty questions',
    revision: 1,
    expertAnswers: questions.map(() => ''),
    countsRevision: 0,
    projectionVersion,
  });
  // The state after the last event.
  await countSession(_id.toHexString(), models);
  await mongo.close();
  return _id.toHexString();
}

export const detailTakes: Measure = {
  what: 'p95 of the interview detail with 20 questions, five takes of each relative to one',
  unit: '×',
  limit: 1.3,
  async run({ folder }) {
    const own = await startOwnHistory(join(folder, 'takes'));
    try {
      const user = await own.identity.user('others', { expiresInSeconds: 3600 });
      const ids: Record<string, string> = {};
      for (const [name, count] of Object.entries(takeCounts)) ids[name] = await fill(own.mongodbUri, user.id, count);
      const address = await own.startService(prefix);
      const times: Record<string, number[]> = { one: [], five: [] };
      for (let i = -30; i < requests; i += 1) {
        for (const [name, list] of Object.entries(times)) {
          const took = await timed(async () => {
            const headers = { authorization: user.authorization };
            const response = await fetch(`${address}/api/interviews/${ids[name]}`, { headers });
            const { recordings } = (await response.json()) as { recordings: unknown[] };
            if (recordings.length !== questions.length)
              throw new Error(`Expected ${questions.length} recordings in the detail, got ${recordings.length}`);
          });
          if (i >= 0) list.push(took);
        }
      }
      const [one, five] = [quantile(times.one ?? [], 0.95), quantile(times.five ?? [], 0.95)];
      return { value: five / one, from: `${five.toFixed(1)} ms over ${one.toFixed(1)} ms` };
    } finally {
      await own.stop();
    }
  },
};
