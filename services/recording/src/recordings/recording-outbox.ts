import type { JobPayload } from '@interview-prep/contracts/events/jobs';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { createOutbox, type Outbox } from '@interview-prep/kit/redis/outbox';
import type { Redis } from 'ioredis';
import type { HydratedDocument } from 'mongoose';
import { membersDone } from '../assignments/assigned-work.ts';
import { announceScore } from '../assignments/best-score.ts';
import type { StoredAssignment } from '../assignments/model.ts';
import type { RecordingModels } from '../models.ts';
import type { Session } from '../sessions/model.ts';
import type { Recording } from './model.ts';

/** Webhooks are only told about changes younger than this: older ones are being republished. */
const newsForMs = 60 * 60_000;

/** The webhook events for a changed recording: it was judged, or it completes its assignment. */
async function webhookEvents(
  recording: HydratedDocument<Recording>,
  session: HydratedDocument<Session>,
  models: RecordingModels,
): Promise<JobPayload<'auth', 'webhook-event'>[]> {
  const { _id, questionId, run, stage, stageStatus, createdAt, updatedAt } = recording;
  const { assessment, isCorrect, correctnessPercentage } = recording;
  const { userId, assignment } = session;
  const since = Date.now() - newsForMs;
  const groupId = assignment?.groupId ?? null;
  const ids = { interviewId: session._id.toHexString(), assignmentId: assignment?.assignmentId ?? null };
  const events: JobPayload<'auth', 'webhook-event'>[] = [];
  if (
    stage === 'assessment' &&
    stageStatus === 'completed' &&
    assessment.status === 'completed' &&
    Number(updatedAt) > since
  ) {
    const reviewedAt = assessment.review?.createdAt;
    events.push({
      id: ['judged', _id.toHexString(), run, reviewedAt ? Date.parse(reviewedAt) : 0].join(' '),
      type: 'answer.judged',
      at: updatedAt.toISOString(),
      userId,
      groupId,
      data: {
        ...ids,
        recordingId: _id.toHexString(),
        questionId,
        isCorrect,
        correctnessPercentage,
        reviewed: reviewedAt !== undefined,
      },
    });
  }
  if (assignment && Number(createdAt) > since) {
    const stored = await models.assignments.findById(assignment.assignmentId).lean<StoredAssignment>();
    if (stored && (await membersDone(stored, models, userId)).has(userId))
      events.push({
        id: ['completed', assignment.assignmentId, userId].join(' '),
        type: 'assignment.completed',
        at: createdAt.toISOString(),
        userId,
        groupId,
        data: { ...ids, title: stored.title, late: assignment.late },
      });
  }
  return events;
}

/**
 * The outbox that publishes each change of a recording to history, with its session, and appeals, reviews and scores to auth.
 * @param options `sweeps`: whether this process also looks for unpublished changes
 */
export function createRecordingOutbox(options: {
  models: RecordingModels;
  jobs: JobProducer;
  redis: Redis;
  prefix: string;
  log: Logger;
  sweeps: boolean;
}): Outbox<Recording> {
  const { models, jobs, redis, prefix, log, sweeps } = options;
  return createOutbox<Recording>({
    name: 'recordings',
    model: models.recordings,
    async emit(recording) {
      const session = await models.sessions.findById(recording.session).orFail();
      await jobs.add('history', 'recording-changed', eventOf(session, recording));
      for (const happened of await webhookEvents(recording, session, models))
        await jobs.add('auth', 'webhook-event', happened);
      if (session.assignment && recording.stage === 'assessment' && recording.stageStatus === 'completed') {
        const assignment = await models.assignments.findById(session.assignment.assignmentId).lean<StoredAssignment>();
        if (assignment) await announceScore(assignment, session.userId, { models, jobs });
      }
      const { _id, userId, questionId, unannouncedReview, unannouncedAppeal } = recording;
      const recordingId = _id.toHexString();
      const announced = async (what: { unannouncedReview: string } | { unannouncedAppeal: string }) => {
        const $unset = Object.fromEntries(Object.keys(what).map((name) => [name, 1]));
        await models.recordings.updateOne({ _id, ...what }, { $unset }, { timestamps: false });
      };
      if (unannouncedAppeal !== undefined) {
        const { groupId } = session.assignment ?? {};
        await jobs.add('auth', 'answer-appealed', { recordingId, appealedAt: unannouncedAppeal, groupId });
        await announced({ unannouncedAppeal });
      }
      if (unannouncedReview !== undefined) {
        const ids = { userId, recordingId, interviewId: session._id.toHexString() };
        await jobs.add('auth', 'answer-reviewed', { ...ids, questionId, reviewedAt: unannouncedReview });
        await announced({ unannouncedReview });
      }
    },
    redis,
    prefix,
    log,
    ...(sweeps ? {} : { sweepMs: null }),
  });
}

/** Session and recording for the event's schema. Adding the job strips fields that aren't in the schema. */
function eventOf(
  session: HydratedDocument<Session>,
  recording: HydratedDocument<Recording>,
): JobPayload<'history', 'recording-changed'> {
  const { assignment, ...head } = session.toObject();
  const { user } = head;
  const { transcription, playback, original, requestId } = recording;
  return {
    requestId,
    session: {
      ...head,
      entryId: session._id.toHexString(),
      user: {
        email: user.email ?? null,
        role: user.role ?? null,
        lastLogin: user.lastLogin?.toISOString() ?? null,
      },
      createdAt: session.createdAt.toISOString(),
      ...(assignment
        ? { assignment: { ...assignment, feedbackAt: assignment.feedbackAt?.toISOString() ?? null } }
        : {}),
    },
    recording: {
      ...recording.toObject(),
      recordingId: recording._id.toHexString(),
      createdAt: recording.createdAt.toISOString(),
      mediaType: (playback ?? original).mediaType,
      transcription: { ...transcription, completedAt: transcription.completedAt?.toISOString() ?? null },
    },
  };
}
