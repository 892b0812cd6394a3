import { rm } from 'node:fs/promises';
import { limits } from '@interview-prep/contracts/api/limits';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import {
  InterviewUpload,
  PracticeUpload,
  recordingRoutes,
  uploadMessages,
} from '@interview-prep/contracts/recording/recordings';
import { badRequest } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { ErrorRequestHandler, Express, Request } from 'express';
import type { UploadTarget } from '../sessions/open-session.ts';
import type { WorkFolder } from '../work-folder.ts';
import { type AcceptAnswerDeps, acceptAnswer, answerUpload } from './accept-answer.ts';
import { type ReceivedUpload, receiveUpload } from './receive-upload.ts';
import type { SpoolRoom } from './spool-room.ts';
import type { UploadLimits } from './upload-limits.ts';

/** Limits for reading the rest of a refused upload before the connection is closed. The largest upload is below them. */
const maxMs = 5000;
const maxBytes = limits.recordingMaxBytes + 1024 * 1024;

/**
 * Keeps reading for a while after an upload was refused. If the connection were closed while the client or the gateway still
 * writes, they would report a broken connection instead of the response.
 */
const drainRequest: ErrorRequestHandler = (error, req, _res, next) => {
  if (!req.readableEnded && !req.destroyed) {
    let drained = 0;
    const cut = () => req.destroy();
    const timer = setTimeout(cut, maxMs);
    const done = () => clearTimeout(timer);
    req.once('end', done).once('close', done);
    req.on('data', (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > maxBytes) cut();
    });
    req.resume();
  }
  next(error);
};

export interface UploadDeps extends AcceptAnswerDeps {
  spool: WorkFolder;
  room: SpoolRoom;
  /** Middleware that lets a signed-in user's upload through, or refuses it. */
  uploadLimits: UploadLimits;
}

/** The part names of one kind of upload. `readTarget` parses the text parts; it throws a ZodError, which becomes a 400. */
interface UploadForm {
  fileField: string;
  required: readonly string[];
  readTarget: (fields: ReceivedUpload['fields']) => UploadTarget;
}

const interviewForm: UploadForm = {
  fileField: 'audio',
  required: ['sessionId', 'questionId', 'interviewSetId'],
  readTarget: (fields) => {
    const { interviewSetId, ...target } = InterviewUpload.parse(fields);
    return { ...target, kind: 'interview', setId: interviewSetId.toLowerCase() };
  },
};

const practiceForm: UploadForm = {
  fileField: 'file',
  required: ['sessionId', 'questionId', 'practiceSetId'],
  readTarget: (fields) => {
    const { practiceSetId, ...target } = PracticeUpload.parse(fields);
    return { ...target, kind: 'practice', setId: practiceSetId.toLowerCase() };
  },
};

/** Routes to upload answers: 201 for a new recording, 200 for one that was already stored. */
export function serveUploads(app: Express, server: RouteServer, deps: UploadDeps): void {
  const { uploadInterviewRecording, uploadPracticeRecording } = recordingRoutes;

  server.serve(
    uploadInterviewRecording,
    async ({ req, res, user }) =>
      answerUpload(uploadInterviewRecording, res, await takeUpload(req, user, interviewForm, deps)),
    ...deps.uploadLimits.answers,
  );
  server.serve(
    uploadPracticeRecording,
    async ({ req, res, user }) =>
      answerUpload(uploadPracticeRecording, res, await takeUpload(req, user, practiceForm, deps)),
    ...deps.uploadLimits.answers,
  );
  // Browsers don't read the response while they are still sending: read and discard the rest of a refused upload.
  app.use([uploadInterviewRecording.path, uploadPracticeRecording.path], drainRequest);
}

/** Accepts an upload if there is room for it on disk. */
async function takeUpload(req: Request, user: TokenClaims, form: UploadForm, deps: UploadDeps) {
  const { 'content-length': length } = req.headers;
  const release = deps.room.take(length === undefined ? undefined : Number(length));
  try {
    return await storeUpload(req, user, form, deps);
  } finally {
    release();
  }
}

/** Receives, checks and stores an upload. Always removes the spooled file. */
async function storeUpload(req: Request, user: TokenClaims, form: UploadForm, deps: UploadDeps) {
  const { fields, file } = await receiveUpload(req, form.fileField, deps.spool);
  try {
    const missing = form.required.filter((name) => !fields[name]?.trim());
    if (!file) missing.push(form.fileField);
    if (!file || missing.length > 0) {
      throw badRequest(
        uploadMessages.missingData,
        missing.map((path) => ({ path, message: uploadMessages.missingData })),
      );
    }
    return await acceptAnswer({ ...form.readTarget(fields), file, user, requestId: String(req.id) }, deps);
  } finally {
    if (file) await rm(file.path, { force: true });
  }
}
