import { open, rm } from 'node:fs/promises';
import { limits } from '@interview-prep/contracts/limits';
import { InterviewUpload, PracticeUpload, recordingRoutes, uploadMessages } from '@interview-prep/contracts/recordings';
import type { TokenClaims } from '@interview-prep/contracts/users';
import { badRequest, tooLarge, unsupportedMedia } from '@interview-prep/kit/http-error';
import type { MediaTokens } from '@interview-prep/kit/media-tokens';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import type { Express, Request, RequestHandler } from 'express';
import { sniffMedia } from '../media/sniff-media.ts';
import type { Recording } from '../recordings/model.ts';
import type { UploadTarget } from '../sessions/open-session.ts';
import type { WorkFolder } from '../work-folder.ts';
import { drainRequest } from './drain-request.ts';
import { type ReceivedUpload, receiveUpload, type SpooledFile } from './receive-upload.ts';
import type { SpoolRoom } from './spool-room.ts';
import { type StoreAnswerDeps, storeAnswer } from './store-answer.ts';
import type { VirusScan } from './virus-scan.ts';

/** What the upload routes work with. */
export interface UploadDeps extends StoreAnswerDeps {
  spool: WorkFolder;
  room: SpoolRoom;
  scanForViruses: VirusScan;
  /** Passes the uploads of a signed-in user on, or refuses them. */
  uploadLimits: RequestHandler[];
  mediaTokens: MediaTokens;
}

/** How one kind of upload names its parts. `readTarget` parses the text parts; it throws a ZodError, which becomes a 400. */
interface UploadForm {
  fileField: string;
  required: readonly string[];
  readTarget: (fields: ReceivedUpload['fields']) => UploadTarget;
}

const dateOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time));

const interviewForm: UploadForm = {
  fileField: 'audio',
  required: ['sessionId', 'questionId', 'interviewSetId'],
  readTarget: (fields) => {
    const { sessionId, questionId, interviewSetId, setUpdatedAt, askedQuestions, sources } =
      InterviewUpload.parse(fields);
    return {
      kind: 'interview',
      sessionId,
      questionId,
      setId: interviewSetId.toLowerCase(),
      setUpdatedAt: dateOf(setUpdatedAt),
      askedQuestions,
      sources,
    };
  },
};

const practiceForm: UploadForm = {
  fileField: 'file',
  required: ['sessionId', 'questionId', 'practiceSetId'],
  readTarget: (fields) => {
    const { sessionId, questionId, practiceSetId, setUpdatedAt } = PracticeUpload.parse(fields);
    return {
      kind: 'practice',
      sessionId,
      questionId,
      setId: practiceSetId.toLowerCase(),
      setUpdatedAt: dateOf(setUpdatedAt),
    };
  },
};

/** How many of a file's first bytes are enough to recognise its format. */
const headBytes = 4096;

/** Serves the uploads of answers: 201 for a new recording, 200 for one that was stored before. */
export function serveUploads(app: Express, server: RouteServer, deps: UploadDeps): void {
  const { uploadInterviewRecording, uploadPracticeRecording } = recordingRoutes;

  server.serve(
    uploadInterviewRecording,
    async ({ req, res, user }) => {
      const { recording, isNew } = await takeUpload(req, user, interviewForm, deps);
      const answer = { recording: { ...recording, interviewId: recording.entryId } };
      // Sent here, since `serve` takes a status of 200 for unset and sends 201. The deadline may have answered already.
      if (!isNew && !res.headersSent) res.status(200).json(uploadInterviewRecording.result?.parse(answer));
      return answer;
    },
    ...deps.uploadLimits,
  );
  server.serve(
    uploadPracticeRecording,
    async ({ req, res, user }) => {
      const { recording, isNew } = await takeUpload(req, user, practiceForm, deps);
      const answer = { recording: { ...recording, practiceId: recording.entryId } };
      if (!isNew && !res.headersSent) res.status(200).json(uploadPracticeRecording.result?.parse(answer));
      return answer;
    },
    ...deps.uploadLimits,
  );
  // A browser reads no answer while it still sends: the rest of a refused upload is read and dropped.
  app.use([uploadInterviewRecording.path, uploadPracticeRecording.path], drainRequest);
}

/** Takes an upload while there is room for it on disk. */
async function takeUpload(req: Request, user: TokenClaims, form: UploadForm, deps: UploadDeps) {
  const { 'content-length': length } = req.headers;
  const release = deps.room.take(length === undefined ? undefined : Number(length));
  try {
    return await storeUpload(req, user, form, deps);
  } finally {
    release();
  }
}

/** Receives, checks and stores an upload. The spooled file is removed in any case. */
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
    const target = form.readTarget(fields);
    const media = await detectMedia(file);
    await deps.scanForViruses(file.path);
    const answer = { ...target, media, file, user, requestId: String(req.id) };
    const { recording, isNew } = await storeAnswer(answer, deps);
    return { recording: presentUploaded(recording, user, deps.mediaTokens), isNew };
  } finally {
    if (file) await rm(file.path, { force: true });
  }
}

/** The format of a file, recognised by its content. @throws HttpError 400, 413, 415 where it is too short, too large or no media */
async function detectMedia({ path, sizeBytes }: SpooledFile) {
  if (sizeBytes < limits.recordingMinBytes) throw badRequest(uploadMessages.tooShort);
  if (sizeBytes > limits.recordingMaxBytes) throw tooLarge(uploadMessages.tooLarge);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const media = sniffMedia(buffer.subarray(0, bytesRead));
    if (!media) throw unsupportedMedia(uploadMessages.unsupported);
    return media;
  } finally {
    await file.close();
  }
}

function presentUploaded(recording: Recording, user: TokenClaims, mediaTokens: MediaTokens) {
  const { sessionId, questionId, take, transcription } = recording;
  const _id = recording._id.toHexString();
  return {
    _id,
    sessionId,
    questionId,
    take,
    entryId: recording.session.toHexString(),
    createdAt: recording.createdAt.toISOString(),
    audioUrl: mediaTokens.urlOf(_id, user),
    transcription: { status: transcription.status, text: transcription.text },
  };
}
