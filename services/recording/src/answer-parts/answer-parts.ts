import { createHash } from 'node:crypto';
import { limits } from '@interview-prep/contracts/api/limits';
import { uploadMessages } from '@interview-prep/contracts/recording/recordings';
import { contentDigest } from '@interview-prep/contracts/recording/uploads';
import { badRequest, conflict, notFound, tooLarge } from '@interview-prep/kit/http/http-error';
import type { Logger } from '@interview-prep/kit/process/logger';
import { repeat } from '@interview-prep/kit/process/repeat';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { StoredUpload } from './model.ts';

/** An answer without a new part for this long is cut off. */
export const cutOffMs = 10 * 60_000;
/** An answer without a new part for this long is deleted. So is the record of one that ended this long ago. */
const keptMs = 7 * 24 * 3600_000;
/** Parts are deleted once more after this time: a request may have been storing one the first time. */
const secondPassMs = 60_000;
const sweepEveryMs = 60_000;

interface PartsDeps {
  models: RecordingModels;
  store: ObjectStore;
}

/** The key prefix of an upload's parts. Deleting the session's media deletes them too. */
const prefixOf = ({ sessionId, _id }: StoredUpload) => `recordings/${sessionId}/parts/${_id}/`;

/** The key includes the hash, so a conflicting part with the same number can't overwrite the accepted one. */
const keyOf = (upload: StoredUpload, number: number, sha256: string) => `${prefixOf(upload)}${number}-${sha256}`;

/** The first part that has not arrived. */
export function nextPart({ parts }: Pick<StoredUpload, 'parts'>): number {
  const arrived = new Set(parts.map(({ number }) => number));
  let next = 0;
  while (arrived.has(next)) next += 1;
  return next;
}

/** @throws HttpError 404 if the user has no such upload, or it was discarded */
export async function findUpload(_id: string, userId: string, { models }: PartsDeps): Promise<StoredUpload> {
  const upload = await models.uploads.findOne({ _id, userId }).lean<StoredUpload>();
  if (!upload || (upload.endedAt && !upload.recordingId)) throw notFound('Upload not found');
  return upload;
}

/**
 * Stores a part, unless it is there already. Its object is written first: if the process dies before the database
 * write, the end of the upload deletes the orphaned object.
 * @param digest the request's Content-Digest
 * @throws HttpError 400 for a wrong digest, 409 if the number is taken by another part or the answer is complete, 413
 */
export async function addPart(
  upload: StoredUpload,
  part: { number: number; bytes: Buffer; digest: string },
  deps: PartsDeps,
): Promise<StoredUpload> {
  const { number, bytes, digest } = part;
  const sha256 = createHash('sha256').update(bytes);
  const hex = sha256.copy().digest('hex');
  if (contentDigest.exec(digest)?.[1] !== sha256.digest('base64'))
    throw badRequest('Content-Digest must be the SHA-256 hash of the part');
  const arrived = upload.parts.find((other) => other.number === number);
  if (arrived?.sha256 === hex) return upload;
  if (arrived) throw conflict('Another part has this number');
  if (upload.endedAt) throw conflict('This answer is complete');
  const mostBefore = limits.recordingMaxBytes - bytes.length;
  if (upload.receivedBytes > mostBefore) throw tooLarge(uploadMessages.tooLarge);
  const key = keyOf(upload, number, hex);
  await deps.store.putBytes(key, bytes);
  const { _id, userId } = upload;
  const updated = await deps.models.uploads
    .findOneAndUpdate(
      { _id, endedAt: null, 'parts.number': trusted({ $ne: number }), receivedBytes: trusted({ $lte: mostBefore }) },
      {
        $push: { parts: { number, sizeBytes: bytes.length, sha256: hex } },
        $inc: { receivedBytes: bytes.length },
        $set: { lastPartAt: new Date(), durationMs: null },
      },
      { returnDocument: 'after' },
    )
    .lean<StoredUpload>();
  if (updated) return updated;
  // A concurrent request won: respond with its result. Delete our object, which no part refers to and no quota counts.
  const current = await findUpload(_id, userId, deps);
  if (!current.parts.some((other) => other.number === number && other.sha256 === hex)) await deps.store.removeAll(key);
  return addPart(current, part, deps);
}

/** The parts from `from` up to, but not including, `count`. Fetches a few in parallel, since the store may be far away. */
export async function* readParts(
  upload: StoredUpload,
  { from = 0, count }: { from?: number; count: number },
  store: ObjectStore,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const byNumber = new Map(upload.parts.map((part) => [part.number, part]));
  const fetchPart = async (number: number) => {
    const key = keyOf(upload, number, byNumber.get(number)?.sha256 ?? '');
    const chunks = await store.get(key, signal ? { signal } : {});
    return Buffer.concat(await chunks.toArray({ signal }));
  };
  const atOnce = 4;
  for (let first = from; first < count; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - first) }, (_, at) => first + at);
    yield* await Promise.all(numbers.map(fetchPart));
  }
}

/** Ends an upload, recording what it became, if anything, and deletes its parts. Idempotent. */
export async function endUpload({ _id }: StoredUpload, recordingId: string | null, deps: PartsDeps): Promise<void> {
  const now = new Date();
  const ended = await deps.models.uploads
    .findOneAndUpdate(
      { _id, endedAt: null },
      { $set: { endedAt: now, recordingId, removePartsAt: now } },
      { returnDocument: 'after' },
    )
    .lean<StoredUpload>();
  if (ended) await removeParts(ended, deps);
}

async function removeParts(upload: StoredUpload, { models, store }: PartsDeps): Promise<void> {
  await store.removeAll(prefixOf(upload));
  const isSecondPass = (upload.endedAt?.getTime() ?? 0) <= Date.now() - secondPassMs;
  await models.uploads.updateOne(
    { _id: upload._id },
    isSecondPass ? { $unset: { removePartsAt: 1 } } : { $set: { removePartsAt: new Date(Date.now() + secondPassMs) } },
  );
}

/** Deletes abandoned uploads, and parts that are due for deletion. */
export async function sweepParts(deps: PartsDeps): Promise<void> {
  const { uploads } = deps.models;
  const before = trusted({ $lt: new Date(Date.now() - keptMs) });
  for await (const upload of uploads.find({ endedAt: null, updatedAt: before }).lean<StoredUpload[]>().cursor())
    await endUpload(upload as StoredUpload, null, deps);
  const due = { removePartsAt: trusted({ $lte: new Date() }) };
  for await (const upload of uploads.find(due).lean<StoredUpload[]>().cursor())
    await removeParts(upload as StoredUpload, deps);
  await uploads.deleteMany({ endedAt: before, removePartsAt: null });
}

/** Sweeps now and every minute. @returns a function that stops it */
export function startPartsSweep(deps: PartsDeps, log: Logger): () => Promise<void> {
  return repeat(
    sweepEveryMs,
    () => sweepParts(deps),
    (error) => log.warn({ err: error }, 'could not delete parts; it will be retried'),
  );
}
