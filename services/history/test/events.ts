import { randomUUID } from 'node:crypto';
import type { RecordingSnapshot, SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';

let clock = Date.parse('2026-03-01T10:00:00Z');

/** The start of the newest session. */
export function newestAt() {
  return new Date(clock).toISOString();
}

/** A session snapshot as published by recording, each a minute after the previous one. */
export function sessionOf(
  user: Pick<TestUser, 'id' | 'email' | 'role'>,
  changes: Partial<SessionSnapshot> = {},
): SessionSnapshot {
  clock += 60_000;
  return {
    entryId: new Types.ObjectId().toHexString(),
    sessionId: randomUUID(),
    kind: 'interview',
    setId: new Types.ObjectId().toHexString(),
    title: 'Closures',
    technology: 'JavaScript',
    questions: ['1. What is a closure?', 'Question 2: What is hoisting?'],
    expertAnswers: ['A function with its scope.', ''],
    userId: user.id,
    user: { email: user.email, role: user.role, lastLogin: null },
    createdAt: newestAt(),
    revision: 1,
    ...changes,
  };
}

/** A judged recording as published by recording. */
export function recordingOf(changes: Partial<RecordingSnapshot> = {}): RecordingSnapshot {
  return {
    recordingId: new Types.ObjectId().toHexString(),
    questionId: 0,
    take: 1,
    createdAt: newestAt(),
    mediaType: 'audio/webm',
    durationMs: 4000,
    peaks: [0.1, 0.9],
    stage: 'assessment',
    stageStatus: 'completed',
    transcription: {
      status: 'completed',
      text: 'a function',
      completedAt: newestAt(),
      engine: 'test',
    },
    isCorrect: true,
    correctnessPercentage: 80,
    chatGPTResponse: 'A function with its scope.',
    assessment: { status: 'completed', engine: 'test', points: [] },
    revision: 1,
    ...changes,
  };
}
