import { join } from 'node:path';
import type { RecordingSnapshot } from '@interview-prep/contracts/events/snapshots';
import { buildIndexes, connectMongo } from '@interview-prep/kit/mongo/mongo';
import { createLogger } from '@interview-prep/kit/process/logger';
import { Types } from 'mongoose';
import { countsOf } from '../../../services/history/src/projection/count-session.ts';
import {
  historyModels,
  type RecordingEntry,
  type SessionEntry,
} from '../../../services/history/src/projection/model.ts';
import { projectionVersion } from '../../../services/history/src/projection/rebuild.ts';
import { type Measure, quantile, timed } from './measure.ts';
import { startOwnHistory } from './own-history.ts';

const [members, takes, questionCount, pointCount, sessionCount] = [200, 2, 10, 6, 100_000];
const requests = 100;
const prefix = 'rosters-';
const begins = Date.parse('2026-06-01T00:00:00Z');
const log = createLogger('bench', 'warn');

const questions = Array.from({ length: questionCount }, (_, index) => `Question number ${index + 1}, about what?`);
const pointsOf = (missed: number) =>
  Array.from({ length: pointCount }, (_, index) => ({
    text: `Point ${index} of the expert's answer, a clause of about the usual length with its reason`,
    covered: index % 5 !== missed,
    evidence: '',
  }));

/** A session as history stores it, with the counts of its answers if it is for an assignment. */
function sessionOf(index: number, userId: string, assignment?: SessionEntry['assignment']) {
  const _id = new Types.ObjectId();
  const session = {
    _id,
    userId,
    questions,
    technology: 'JavaScript',
    createdAt: new Date(begins + index * 60_000),
    user: { email: 'user@example.com', role: 'others', lastLogin: null },
    sessionId: _id.toHexString(),
    kind: 'interview' as const,
    listKind: 'interview' as const,
    setId: '0'.repeat(24),
    title: 'Ten questions',
    revision: 1,
    expertAnswers: questions.map(() => 'The expert answer.'),
    projectionVersion,
    ...(assignment && { assignment }),
  };
  const answers = questions.map((_, questionId): RecordingEntry => {
    const snapshot = {
      transcription: { status: 'completed', text: '', completedAt: null },
      assessment: {
        status: 'completed',
        engine: 'reference point-judge 1',
        points: pointsOf((index + questionId) % 5),
      },
      correctnessPercentage: (index * 7 + questionId * 13) % 101,
      durationMs: 60_000 + ((index * 977) % 60_000),
    } as unknown as RecordingSnapshot;
    return { _id: new Types.ObjectId(), entryId: _id, questionId, take: 1, revision: 5, snapshot, projectionVersion };
  });
  return { ...session, ...countsOf(session, answers) };
}

/** @returns the paths of the group's figures and of the roster */
async function fill(mongodbUri: string, coach: string): Promise<{ group: string; roster: string }> {
  const mongo = await connectMongo({ MONGODB_URI: mongodbUri, MONGODB_PREFIX: prefix }, 'history', log);
  const models = historyModels(mongo);
  await buildIndexes(mongo);
  const [groupId, assignmentId] = [new Types.ObjectId().toHexString(), new Types.ObjectId().toHexString()];
  const people = Array.from({ length: members }, () => new Types.ObjectId().toHexString());
  await models.groups.apply({ groupId, archived: false, coaches: [coach], members: people, revision: 1 });
  const assignment = { assignmentId, groupId, late: false, feedback: 'at-once' as const, feedbackAt: null };
  const batchSize = 2000;
  for (let start = 0; start < sessionCount; start += batchSize) {
    const batch = Array.from({ length: batchSize }, (_, offset) => {
      const index = start + offset;
      const isAssigned = index % Math.floor(sessionCount / (members * takes)) === 0 && index < sessionCount;
      const person = Math.floor(index / Math.floor(sessionCount / (members * takes))) % members;
      return sessionOf(index, people[person] ?? '', isAssigned ? assignment : undefined);
    });
    await models.sessions.collection.insertMany(batch as never[]);
  }
  await mongo.close();
  const group = `/api/rosters/${groupId}`;
  return { group, roster: `${group}/${assignmentId}` };
}

export const rosters: Measure = {
  what: `p95 of the slowest of three reports (roster, questions, overruled verdicts) on an assignment of ${questionCount} questions that ${members} members took twice, among ${sessionCount.toLocaleString('en-US')} sessions`,
  unit: 'ms',
  limit: 150,
  async run({ folder, say }) {
    const own = await startOwnHistory(join(folder, 'rosters'));
    try {
      const coach = await own.identity.user('others', { expiresInSeconds: 3600 });
      say(`filling ${sessionCount.toLocaleString('en-US')} sessions`);
      const { group, roster: path } = await fill(own.mongodbUri, coach.id);
      const address = await own.startService(prefix);
      const slowest = async (route: string, isWhole: (body: string) => boolean) => {
        const times: number[] = [];
        for (let i = -20; i < requests; i += 1) {
          const took = await timed(async () => {
            const response = await fetch(`${address}${route}`, {
              headers: { authorization: coach.authorization },
            });
            const body = await response.text();
            if (!isWhole(body)) throw new Error(`Incomplete response: ${response.status} ${body.slice(0, 200)}`);
          });
          if (i >= 0) times.push(took);
        }
        return quantile(times, 0.95);
      };
      const count = (body: string) => body.split('"userId"').length - 1;
      const roster = await slowest(path, (body) => count(body) === members);
      const byQuestion = await slowest(`${path}/questions`, (body) => count(body) === members * questionCount);
      const scored = members * takes * questionCount;
      const overruled = await slowest(group, (body) => JSON.parse(body).overruled?.scored === scored);
      return {
        value: Math.max(roster, byQuestion, overruled),
        from: `roster ${roster.toFixed(1)} ms; questions ${byQuestion.toFixed(1)} ms; overruled ${overruled.toFixed(1)} ms`,
      };
    } finally {
      await own.stop();
    }
  },
};
