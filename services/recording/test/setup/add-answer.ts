import { randomUUID } from 'node:crypto';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import type { Recording } from '../../src/recordings/model.ts';
import type { Session } from '../../src/sessions/model.ts';
import type { RecordingUnderTest } from './recording-under-test.ts';

/** Stores a user's session, bypassing the API: an interview with one question. */
export async function addSession(
  { models }: RecordingUnderTest,
  { id, email, role }: TestUser,
  changes: Partial<Session> = {},
): Promise<Session> {
  const session = await models.sessions.create({
    sessionId: randomUUID(),
    kind: 'interview',
    setId: new Types.ObjectId().toHexString(),
    userId: id,
    title: 'Warm-up',
    technology: 'SQL',
    questions: ['1. What is x?'],
    expertAnswers: ['A'],
    user: { email, role, lastLogin: null },
    createdAt: new Date(),
    revision: 1,
    ...changes,
  });
  return session.toObject();
}

/** Stores the only take of an answer, bypassing the API. It is transcribed, but has no media. */
export async function addAnswer(
  { models }: RecordingUnderTest,
  { _id, sessionId, userId, kind }: Session,
  changes: Partial<Recording> = {},
): Promise<Recording> {
  const recording = await models.recordings.create({
    session: _id,
    sessionId,
    userId,
    kind,
    questionId: 0,
    take: 1,
    sha256: randomUUID(),
    container: 'webm',
    original: { key: 'k', mediaType: 'audio/webm', sizeBytes: 2000 },
    run: 1,
    stage: 'assessment',
    stageStatus: 'completed',
    transcription: { status: 'completed', text: 'what was said', completedAt: new Date() },
    ...changes,
  });
  return recording.toObject();
}
