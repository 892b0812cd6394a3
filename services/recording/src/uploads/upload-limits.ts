import { HttpError } from '@interview-prep/kit/http/http-error';
import { type RateLimits, signedInUser } from '@interview-prep/kit/http/rate-limits';
import type { RequestHandler } from 'express';
import type { RecordingModels } from '../models.ts';

/** Limits per user; 0 for no limit. A megabyte is a million bytes. */
export interface UploadQuota {
  perMinute: number;
  perHour: number;
  storedMegabytes: number;
}

const minute = 60_000;
const message = 'You have sent many answers in a short time.';

/** The Retry-After for a full quota. Deleting recordings frees space immediately. */
const fullRetryAfterSeconds = 3600;

/** Answer parts arrive every few seconds, and in bursts after a lost connection. */
const partsPerAnswer = 20;

/** Limits checked before an answer or a part of one is read: 429 if the sender exceeds the rate limit or the storage quota. */
export interface UploadLimits {
  answers: RequestHandler[];
  parts: RequestHandler[];
}

export function createUploadLimits(
  { perMinute, perHour, storedMegabytes }: UploadQuota,
  models: RecordingModels,
  limitRate: RateLimits,
): UploadLimits {
  const limitStored: RequestHandler = async (req, res, next) => {
    const comingBytes = Number(req.headers['content-length'] ?? 0);
    const usedBytes = await storedBytes(signedInUser(req, res), models);
    if (usedBytes + comingBytes > storedMegabytes * 1e6) {
      const full = `Your recordings take up all the room that you have (${storedMegabytes} MB). Delete some that you no longer need, or ask an admin for more.`;
      throw new HttpError(429, 'storage_full', full, { retryAfterSeconds: fullRetryAfterSeconds });
    }
    next();
  };
  const room = storedMegabytes === 0 ? [] : [limitStored];
  const count = { windowMs: minute, key: signedInUser, message };
  return {
    answers: [
      ...limitRate('uploads-minute', { ...count, limit: perMinute }),
      ...limitRate('uploads-hour', { ...count, limit: perHour, windowMs: 60 * minute }),
      ...room,
    ],
    parts: [...limitRate('parts-minute', { ...count, limit: perMinute * partsPerAnswer }), ...room],
  };
}

/** The total size of a user's media: uploads, their playback copies, and parts of unfinished answers. */
async function storedBytes(userId: string, { recordings, uploads }: RecordingModels): Promise<number> {
  const [[media], [parts]] = await Promise.all([
    recordings.aggregate<{ originals: number; copies: number }>([
      { $match: { userId, mediaDeletion: null } },
      {
        $group: { _id: null, originals: { $sum: '$original.sizeBytes' }, copies: { $sum: '$playback.sizeBytes' } },
      },
    ]),
    uploads.aggregate<{ bytes: number }>([
      { $match: { userId, endedAt: null } },
      { $group: { _id: null, bytes: { $sum: '$receivedBytes' } } },
    ]),
  ]);
  return (media?.originals ?? 0) + (media?.copies ?? 0) + (parts?.bytes ?? 0);
}
