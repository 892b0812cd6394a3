import { limits } from '@interview-prep/contracts/api/limits';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { uploadMessages } from '@interview-prep/contracts/recording/recordings';
import { badRequest, tooLarge, unsupportedMedia } from '@interview-prep/kit/http/http-error';
import type { MediaTokens } from '@interview-prep/kit/tokens/media-tokens';
import type { Response } from 'express';
import type { ZodType } from 'zod';
import { sniffFile } from '../media/sniff-media.ts';
import type { Recording } from '../recordings/model.ts';
import type { SpooledFile } from './receive-upload.ts';
import { type StoreAnswerDeps, storeAnswer, type UploadedAnswer } from './store-answer.ts';
import type { VirusScan } from './virus-scan.ts';

export interface AcceptAnswerDeps extends StoreAnswerDeps {
  scanForViruses: VirusScan;
  mediaTokens: MediaTokens;
}

/** Checks and stores a received answer. The caller removes its file. @throws HttpError as `detectMedia`, the scan and `storeAnswer` do */
export async function acceptAnswer(answer: Omit<UploadedAnswer, 'media'>, deps: AcceptAnswerDeps) {
  const media = await detectMedia(answer.file);
  await deps.scanForViruses(answer.file.path);
  const { recording, isNew } = await storeAnswer({ ...answer, media }, deps);
  return { recording: presentUploaded(recording, answer.user, deps.mediaTokens), isNew };
}

/** Responds with 201 for a new recording, 200 for one that was already stored. */
export function answerUpload<Answer>(
  { result }: { result: ZodType<Answer> | null },
  res: Response,
  { recording, isNew }: { recording: object; isNew: boolean },
): Answer {
  const answer = { recording } as Answer;
  // Send here, since `serve` treats a status of 200 as unset and sends 201. The deadline may have responded already.
  if (!isNew && !res.headersSent) res.status(200).json(result?.parse(answer));
  return answer;
}

/** Detects the format of a file from its content. @throws HttpError 400, 413, 415 if it is too short, too large or not media */
async function detectMedia({ path, sizeBytes }: SpooledFile) {
  if (sizeBytes < limits.recordingMinBytes) throw badRequest(uploadMessages.tooShort);
  if (sizeBytes > limits.recordingMaxBytes) throw tooLarge(uploadMessages.tooLarge);
  const media = await sniffFile(path);
  if (!media) throw unsupportedMedia(uploadMessages.unsupported);
  return media;
}

export function presentUploaded(recording: Recording, user: TokenClaims, mediaTokens: MediaTokens) {
  const { kind, sessionId, questionId, take, transcription } = recording;
  const _id = recording._id.toHexString();
  const entryId = recording.session.toHexString();
  return {
    _id,
    sessionId,
    questionId,
    take,
    ...(kind === 'interview' ? { interviewId: entryId } : { practiceId: entryId }),
    createdAt: recording.createdAt.toISOString(),
    audioUrl: mediaTokens.urlOf(_id, user),
    transcription: { status: transcription.status, text: transcription.text },
  };
}
