import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { type AnswerUpload, uploadRoutes } from '@interview-prep/contracts/recording/uploads';
import { conflict, HttpError, notFound, tooManyRequests } from '@interview-prep/kit/http/http-error';
import { enforceLimits } from '@interview-prep/kit/http/rate-limits';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { trusted } from 'mongoose';
import { ObjectMissing } from '../object-store/object-store.ts';
import { beginSession, type UploadTarget } from '../sessions/open-session.ts';
import { acceptAnswer, answerUpload, presentUploaded } from '../uploads/accept-answer.ts';
import { spoolFile } from '../uploads/receive-upload.ts';
import type { UploadDeps } from '../uploads/routes.ts';
import { findSessionOf } from '../uploads/store-answer.ts';
import { addPart, cutOffMs, endUpload, findUpload, nextPart, readParts } from './answer-parts.ts';
import type { StoredUpload } from './model.ts';

/** The most incomplete answers per user: each is listed, and kept for days. */
const openUploadsMax = 100;

export function serveAnswerParts(server: RouteServer, deps: UploadDeps): void {
  const { models, uploadLimits } = deps;
  const hearAhead = createHearAhead(deps);
  const present = async (stored: StoredUpload) => {
    const [upload] = await presentUploads([stored], deps);
    if (!upload) throw notFound('Upload not found');
    return { upload };
  };

  server.serve(
    uploadRoutes.beginUpload,
    async ({ params: { uploadId }, body, user, req, res }) => {
      let upload = await models.uploads.findById(uploadId).lean<StoredUpload>();
      if (!upload) {
        await enforceLimits(uploadLimits.answers, { req, res });
        upload = await beginUpload(uploadId, body, user, deps);
      }
      const found = await findUpload(upload._id, user.sub, deps);
      const { kind, sessionId, setId, questionId } = found;
      const isSame =
        kind === body.kind && sessionId === body.sessionId && setId === body.setId && questionId === body.questionId;
      if (!isSame) throw conflict('This upload is of another answer');
      return present(found);
    },
    ...uploadLimits.parts,
  );
  server.serve(uploadRoutes.listUploads, async ({ user }) => {
    const open = models.uploads.find({ userId: user.sub, endedAt: null }).sort({ startedAt: 1 });
    return { uploads: await presentUploads(await open.lean<StoredUpload[]>(), deps) };
  });
  server.serve(uploadRoutes.getUpload, async ({ params, user }) =>
    present(await findUpload(params.uploadId, user.sub, deps)),
  );
  server.serve(
    uploadRoutes.sendPart,
    async ({ params: { uploadId, number }, user, req }) => {
      const upload = await findUpload(uploadId, user.sub, deps);
      const part = { number, bytes: req.body as Buffer, digest: req.get('content-digest') ?? '' };
      const added = await addPart(upload, part, deps);
      await hearAhead(uploadId);
      return present(added);
    },
    ...uploadLimits.parts,
  );
  server.serve(
    uploadRoutes.completeUpload,
    async ({ params, body, user, req, res }) => {
      const upload = await findUpload(params.uploadId, user.sub, deps);
      const request = { count: body.parts, user, requestId: String(req.id), hearAhead };
      const stored = await completeUpload(upload, request, deps);
      return answerUpload(uploadRoutes.completeUpload, res, stored);
    },
    ...uploadLimits.parts,
  );
  server.serve(uploadRoutes.discardUpload, async ({ params, user }) => {
    const upload = await findUpload(params.uploadId, user.sub, deps);
    if (upload.recordingId) throw conflict('This answer is complete');
    await endUpload(upload, null, deps);
    return null;
  });
}

type HearAhead = (uploadId: string) => Promise<void>;

/** Queues the transcription of the parts so far. Never throws: without Redis the answer is transcribed after Stop. */
function createHearAhead({ jobs, log }: UploadDeps): HearAhead {
  // Parts arrive every few seconds: log an outage once.
  let isFailing = false;
  return async (uploadId) => {
    try {
      await jobs.add('ahead', 'transcribe-ahead', { uploadId });
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'could not queue parts for transcription; answers are transcribed after Stop');
      isFailing = true;
    }
  };
}

/** Begins an upload, and its session. @returns the one that a concurrent request has begun, if any */
async function beginUpload(
  _id: string,
  target: UploadTarget,
  user: TokenClaims,
  deps: UploadDeps,
): Promise<StoredUpload> {
  const { models, deletions } = deps;
  const { kind, sessionId, setId, questionId } = target;
  if ((await models.uploads.countDocuments({ userId: user.sub, endedAt: null })) >= openUploadsMax)
    throw tooManyRequests('You have many answers that are not complete. Send or discard some first.', 60);
  const isDeleted = await deletions.includes({ sessionId, questionId, sha256: '', userId: user.sub });
  if (isDeleted) throw notFound('This session was deleted');
  await beginSession(models, await findSessionOf(target, user, deps), target, user);
  const values = { _id, userId: user.sub, kind, sessionId, setId, questionId, startedAt: new Date() };
  await models.uploads.create(values).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  return models.uploads.findById(_id).orFail().lean<StoredUpload>();
}

/**
 * Joins the parts and stores the answer like one uploaded in a single request. A refused answer is deleted.
 * @throws HttpError 409 while a part is missing; otherwise as `acceptAnswer` does
 */
async function completeUpload(
  upload: StoredUpload,
  request: { count: number; user: TokenClaims; requestId: string; hearAhead: HearAhead },
  deps: UploadDeps,
): Promise<{ recording: object; isNew: boolean }> {
  const { models, spool, room, store, mediaTokens } = deps;
  const { count, user, requestId, hearAhead } = request;
  if (upload.recordingId) {
    const recording = await models.recordings.findById(upload.recordingId);
    if (!recording) throw notFound('This answer was deleted');
    return { recording: presentUploaded(recording, user, mediaTokens), isNew: false };
  }
  const next = nextPart(upload);
  if (next < count) throw conflict(`Part ${next} has not arrived`);
  if (upload.parts.length > count) throw conflict('This answer has more parts');
  const release = room.take(upload.receivedBytes);
  const path = spool.newPath();
  try {
    await models.uploads.updateOne({ _id: upload._id, endedAt: null }, { partCount: count }, { timestamps: false });
    await hearAhead(upload._id);
    const parts = Readable.from(readParts(upload, { count }, store));
    const file = await spoolFile(parts, path, new AbortController().signal);
    const { kind, sessionId, setId, questionId, _id: uploadId } = upload;
    const target = { kind, sessionId, setId, questionId };
    const stored = await acceptAnswer({ ...target, file, user, requestId, uploadId }, deps);
    await endUpload(upload, stored.recording._id, deps);
    return stored;
  } catch (error) {
    // A concurrent request was faster.
    if (error instanceof ObjectMissing)
      return completeUpload(await findUpload(upload._id, user.sub, deps), request, deps);
    if (error instanceof HttpError && error.status < 500) await endUpload(upload, null, deps);
    throw error;
  } finally {
    await rm(path, { force: true });
    release();
  }
}

/** Uploads as their owner sees them, without those whose session was just deleted. */
async function presentUploads(uploads: readonly StoredUpload[], { models }: UploadDeps): Promise<AnswerUpload[]> {
  const sessionIds = uploads.map(({ sessionId }) => sessionId);
  const sessions = await models.sessions
    .find({ sessionId: trusted({ $in: sessionIds }) }, 'sessionId title questions')
    .lean();
  return uploads.flatMap((upload) => {
    const session = sessions.find(({ sessionId }) => sessionId === upload.sessionId);
    if (!session) return [];
    const { _id: id, kind, sessionId, setId, questionId, receivedBytes, durationMs, recordingId } = upload;
    const lastMs = (upload.lastPartAt ?? upload.startedAt).getTime();
    const state = recordingId ? 'complete' : lastMs < Date.now() - cutOffMs ? 'cut_off' : 'open';
    return [
      {
        id,
        kind,
        sessionId,
        setId,
        questionId,
        question: session.questions[questionId] ?? '',
        title: session.title,
        state,
        nextPart: nextPart(upload),
        receivedBytes,
        durationMs,
        startedAt: upload.startedAt.toISOString(),
        lastPartAt: upload.lastPartAt?.toISOString() ?? null,
        recordingId,
      } satisfies AnswerUpload,
    ];
  });
}
