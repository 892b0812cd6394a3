import { describe, expect, test } from 'vitest';
import { type JobKind, type QueueName, queues } from '../src/events/jobs.ts';

const at = '2026-11-20T08:30:00.000Z';
const user = { userId: 'u1', email: 'a@b.c', role: 'dev', lastLogin: at, deletedAt: null, revision: 7 } as const;
const stage = { recordingId: '0123456789abcdef01234567', run: 1 };
const transcription = { status: 'completed', text: 'so', completedAt: at } as const;

/** A payload for each job; a job without one fails the test. */
const payloads: { [Q in QueueName]: Record<keyof (typeof queues)[Q], unknown> } = {
  auth: {
    'technologies-changed': { slugs: ['go'], revision: 3 },
    'answer-appealed': { recordingId: '0123456789abcdef01234567', appealedAt: at },
    'answer-reviewed': {
      userId: '0123456789abcdef01234567',
      recordingId: '0123456789abcdef01234567',
      interviewId: '0123456789abcdef01234567',
      questionId: 0,
      reviewedAt: at,
    },
    'audit-event': {
      id: '11111111-1111-4111-8111-111111111111',
      at,
      service: 'auth',
      action: 'sign-in',
      outcome: 'denied',
      actor: null,
      address: '192.0.2.1',
      target: null,
      requestId: 'request-1',
      details: { reason: 'unauthorized' },
    },
    'webhook-event': {
      id: 'judged 0123456789abcdef01234567 1',
      type: 'answer.judged',
      at,
      userId: 'u1',
      groupId: null,
      data: { correctnessPercentage: 82 },
    },
    'assignment-mail': {
      about: 'changed',
      at,
      assignmentId: '0123456789abcdef01234567',
      title: 'Week 1',
      dueAt: null,
      timeZone: 'Europe/Berlin',
      changes: ['dueAt'],
      userIds: ['u1'],
    },
    'assignment-score': {
      assignmentId: '0123456789abcdef01234567',
      groupId: 'g1',
      userId: 'u1',
      score: 81.5,
      isComplete: true,
      at,
    },
    republish: { since: null },
  },
  catalog: { republish: { since: at } },
  recording: {
    'announce-scores': { assignmentId: '0123456789abcdef01234567', at },
    'set-changed': {
      setId: 's1',
      kind: 'interview',
      title: 'T',
      technology: 'Go',
      technologySlug: 'go',
      questions: ['Why?'],
      expertAnswers: [''],
      deletedAt: null,
      revision: 1,
    },
    'user-changed': user,
    'group-changed': { groupId: 'g1', archived: false, coaches: ['u1'], members: ['u2'], revision: 1 },
    republish: { since: null },
  },
  history: {
    'recording-changed': {
      session: {
        entryId: 'e1',
        sessionId: 'x',
        kind: 'practice',
        setId: 's1',
        title: 'T',
        technology: 'Go',
        questions: [],
        expertAnswers: [],
        userId: 'u1',
        user,
        createdAt: at,
        revision: 2,
      },
      recording: {
        recordingId: 'r1',
        questionId: 0,
        take: 1,
        createdAt: at,
        mediaType: 'audio/webm',
        durationMs: null,
        peaks: [],
        stage: 'media',
        stageStatus: 'pending',
        transcription,
        isCorrect: null,
        correctnessPercentage: null,
        chatGPTResponse: '',
        assessment: { status: 'pending' },
        revision: 4,
      },
    },
    'user-changed': user,
    'group-changed': { groupId: 'g1', archived: false, coaches: ['u1'], members: ['u2'], revision: 1 },
    deleted: { target: { kind: 'answer', recordingId: 'r1', sessionId: 'x', questionId: 0, sha256: 'f' }, revision: 1 },
    republished: { published: 12 },
  },
  media: { 'prepare-media': stage },
  transcription: { transcribe: stage },
  assessment: { assess: stage },
  ahead: { 'transcribe-ahead': { uploadId: '11111111-1111-4111-8111-111111111111' } },
  trials: {
    'judge-trial': {
      trialId: '11111111-1111-4111-8111-111111111111',
      deadlineMs: Date.parse(at),
      question: 'Why?',
      points: [{ text: 'So.', weight: 1, acceptedWordings: [], optional: false }],
      answer: 'so',
    },
  },
};

const kinds = Object.entries(queues).flatMap(([queue, jobs]) =>
  Object.entries(jobs as Record<string, JobKind<unknown>>).map(
    ([name, kind]) =>
      [`${queue} ${name}`, kind, (payloads[queue as QueueName] as Record<string, unknown>)[name]] as const,
  ),
);

describe.each(kinds)('%s', (_name, kind, payload) => {
  test('has an id that BullMQ accepts, always the same for the same payload', () => {
    const parsed = kind.payload.parse(payload);
    const id = kind.id(parsed);
    expect(id).not.toContain(':');
    expect(id).not.toMatch(/^\d+$/);
    expect(kind.id(kind.payload.parse(structuredClone(payload)))).toBe(id);
  });

  test('rejects another payload', () => {
    expect(kind.payload.safeParse({ $where: '1' }).success).toBe(false);
  });
});

test('a later revision is a different job', () => {
  const { id } = queues.history['user-changed'];
  expect(id({ ...user, revision: 8 })).not.toBe(id(user));
});

test('a queue name is valid in a Redis key', () => {
  for (const queue of Object.keys(queues)) expect(queue).toMatch(/^[a-z]+$/);
});
