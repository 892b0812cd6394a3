import type { JobPayload } from '@interview-prep/contracts/events/jobs';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { createOutbox, type Outbox } from '@interview-prep/kit/redis/outbox';
import type { Redis } from 'ioredis';
import type { HydratedDocument } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Session } from '../sessions/model.ts';
import type { Recording } from './model.ts';

/**
 * The outbox that publishes each change of a recording to history, with its session, and appeals and reviews to auth.
 * @param options `sweeps`: whether this process also looks for changes that were not published
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
      const { _id, userId, questionId, unannouncedReview, unannouncedAppeal } = recording;
      const recordingId = _id.toHexString();
      const announced = async (what: { unannouncedReview: string } | { unannouncedAppeal: string }) => {
        const $unset = Object.fromEntries(Object.keys(what).map((name) => [name, 1]));
        await models.recordings.updateOne({ _id, ...what }, { $unset }, { timestamps: false });
      };
      if (unannouncedAppeal !== undefined) {
        await jobs.add('auth', 'answer-appealed', { recordingId, appealedAt: unannouncedAppeal });
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

/** Session and recording as the event's schema wants them. Adding the job drops the fields that the schema lacks. */
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
