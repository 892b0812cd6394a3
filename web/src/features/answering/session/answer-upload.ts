import { limits } from '@interview-prep/contracts/api/limits';
import type {
  SessionKind,
  UploadedInterviewRecording,
  UploadedPracticeRecording,
} from '@interview-prep/contracts/recording/recordings';
import type { AnswerUpload as UploadProgress } from '@interview-prep/contracts/recording/uploads';
import { type ApiError, apiError } from '../../../lib/api/api-error.ts';
import { type RouteRequest, routeRequest } from '../../../lib/api/route-request.ts';
import { deleteDraft } from '../../../lib/drafts/answer-drafts.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { randomUuid } from '../../../lib/random-uuid.ts';
import type { AnswerTarget } from './take.ts';

/** The minimum time between two parts. The recorder's one-second pieces may come slightly early. */
const sendEveryMs = 1900;
/** Backoff after consecutive failures while the answer is still being spoken; the last value repeats. */
const failurePausesMs = [1000, 2000, 5000] as const;
/** Timeout of a part: the connection is presumed lost. */
const partTimeoutMs = 20_000;
/** Retries of a busy server before the candidate has to retry. */
const maxRetries = 3;
const defaultPauseS = 2;
const maxPauseS = 30;

const uploadFallbacks: Record<SessionKind, string> = {
  interview: fallbacks.uploadRecording,
  practice: fallbacks.uploadPracticeRecording,
};

type ServerProgress = Pick<UploadProgress, 'nextPart' | 'receivedBytes'>;
export type UploadedRecording = UploadedInterviewRecording | UploadedPracticeRecording;

/** A failed upload; `error` is displayed on the screen. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly error: ApiError;

  constructor(error: ApiError, options?: ErrorOptions) {
    super(error.message, options);
    this.error = error;
  }
}

/** An answer uploaded in parts while it is being spoken. */
export interface AnswerUpload {
  /** Adds a piece of the recording and sends what is due. */
  add: (piece: Blob) => void;
  /**
   * Sends the rest and completes the upload. Can be called again after a failure.
   * @throws UploadError; the signal's reason if aborted
   */
  complete: (signal: AbortSignal) => Promise<UploadedRecording>;
  /** Stops sending. The server keeps what it has. */
  stop: () => void;
}

interface UploadOptions {
  /** The draft's UUID: an upload can be resumed as long as the draft exists. */
  uploadId: string;
  target: AnswerTarget;
  kind: SessionKind;
  getToken: () => string | null;
}

/**
 * Opens the upload of an answer. Nothing is sent before the first piece. A failed request is retried from the server's
 * offset, so a lost response does no harm.
 */
export function openAnswerUpload({ uploadId, target, kind, getToken }: UploadOptions): AnswerUpload {
  const pieces: Blob[] = [];
  let sizeBytes = 0;
  /** The server's offset; null if it has to be queried. */
  let progress: ServerProgress | null = null;
  let nextSendMs = 0;
  let failures = 0;
  let sending: Promise<void> | null = null;
  /** Sent from Stop on, so that operators can trace an answer to its verdict. */
  let traceparent: string | undefined;
  const stopped = new AbortController();

  const call = (request: RouteRequest, signal: AbortSignal, bytes?: ArrayBuffer) =>
    send({ request, token: getToken(), fallback: uploadFallbacks[kind], signal, traceparent, ...(bytes && { bytes }) });

  const begin = async (signal: AbortSignal): Promise<ServerProgress> => {
    const { setId, sessionId, questionId, setUpdatedAt, askedQuestions, sources, assignmentId } = target;
    const request = routeRequest('beginUpload', {
      uploadId,
      kind,
      setId,
      sessionId,
      questionId,
      setUpdatedAt,
      ...(askedQuestions && { askedQuestions: [...askedQuestions] }),
      ...(sources && { sources: [...sources] }),
      ...(assignmentId && { assignmentId }),
    });
    return ((await call(request, signal)) as { upload: UploadProgress }).upload;
  };

  /** Sends everything recorded so far. A killed browser may have stored less in the draft than it sent. */
  const sendRecorded = async (signal: AbortSignal): Promise<number> => {
    const limited = () => AbortSignal.any([signal, AbortSignal.timeout(partTimeoutMs)]);
    try {
      progress ??= await begin(limited());
      while (progress.receivedBytes < sizeBytes) {
        const { receivedBytes, nextPart } = progress as ServerProgress;
        const part = new Blob(pieces).slice(receivedBytes, receivedBytes + limits.partMaxBytes);
        const request = routeRequest('sendPart', { uploadId, number: nextPart });
        const sent = await call(request, limited(), await part.arrayBuffer());
        progress = (sent as { upload: UploadProgress }).upload;
      }
      return progress.nextPart;
    } catch (error) {
      progress = null;
      throw error;
    }
  };

  const completeOnce = async (signal: AbortSignal): Promise<UploadedRecording> => {
    const parts = await sendRecorded(signal);
    try {
      const response = await call(routeRequest('completeUpload', { uploadId, parts }), signal);
      return (response as { recording: UploadedRecording }).recording;
    } catch (error) {
      progress = null;
      throw error;
    }
  };

  return {
    add(piece) {
      pieces.push(piece);
      sizeBytes += piece.size;
      if (sending || stopped.signal.aborted || Date.now() < nextSendMs) return;
      nextSendMs = Date.now() + sendEveryMs;
      sending = sendRecorded(stopped.signal)
        .then(() => {
          failures = 0;
        })
        .catch((error: unknown) => {
          if (stopped.signal.aborted) return;
          console.warn('A part of this answer could not be sent yet', error);
          const pauseMs = failurePausesMs[Math.min(failures, failurePausesMs.length - 1)] ?? 0;
          const askedS = error instanceof UploadError ? (error.error.retryAfterS ?? 0) : 0;
          nextSendMs = Date.now() + Math.max(pauseMs, askedS * 1000);
          failures += 1;
        })
        .finally(() => {
          sending = null;
        });
    },
    async complete(caller) {
      traceparent ??= newTraceparent();
      const signal = AbortSignal.any([caller, stopped.signal]);
      await sending;
      for (let retries = 0; ; retries += 1) {
        try {
          signal.throwIfAborted();
          return await completeOnce(signal);
        } catch (error) {
          if (signal.aborted || !(error instanceof UploadError) || retries >= maxRetries) throw error;
          const { status, retryAfterS = defaultPauseS } = error.error;
          if (status === 503) await pause(Math.min(retryAfterS, maxPauseS), signal);
          // The connection broke, or the part arrived but its response didn't: query the server once more.
          else if ((status !== null && status !== 409) || retries > 0) throw error;
        }
      }
    },
    stop: () => stopped.abort(),
  };
}

/** Resumes uploading an answer of an earlier visit. @throws as `AnswerUpload.complete` does */
export function uploadAnswer(media: Blob, options: UploadOptions, signal: AbortSignal): Promise<UploadedRecording> {
  const upload = openAnswerUpload(options);
  upload.add(media);
  return upload.complete(signal);
}

/** Completes an answer that only the server has, with the parts that arrived. @throws UploadError */
export async function completeCutOff(
  { id, kind, nextPart }: UploadProgress,
  token: string | null,
  signal: AbortSignal,
): Promise<UploadedRecording> {
  const request = routeRequest('completeUpload', { uploadId: id, parts: nextPart });
  const response = await send({ request, token, fallback: uploadFallbacks[kind], signal });
  return (response as { recording: UploadedRecording }).recording;
}

/** Deletes an answer here and on the server, which would otherwise offer it as cut off. Failures are only logged. */
export function discardAnswer(uploadId: string, token: string | null): void {
  deleteDraft(uploadId).catch(console.warn);
  const request = routeRequest('discardUpload', { uploadId });
  send({ request, token, fallback: '', signal: AbortSignal.timeout(partTimeoutMs) }).catch((error: unknown) => {
    // It was never sent, or is complete.
    if (!(error instanceof UploadError && [404, 409].includes(error.error.status ?? 0))) console.warn(error);
  });
}

/** Starts a trace. https://www.w3.org/TR/trace-context/#traceparent-header */
function newTraceparent(): string {
  const hex = () => randomUuid().replaceAll('-', '');
  return `00-${hex()}-${hex().slice(16)}-01`;
}

interface SentRequest {
  request: RouteRequest;
  /** Overrides the request's body. */
  bytes?: ArrayBuffer;
  token: string | null;
  /** The fallback message, if the server sends none. */
  fallback: string;
  signal: AbortSignal;
  traceparent?: string | undefined;
}

/** Bypasses RTK Query, which would keep every part in the store. */
async function send({ request, bytes, token, fallback, signal, traceparent }: SentRequest): Promise<unknown> {
  const { url, method, body } = request;
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  if (traceparent) headers.traceparent = traceparent;
  if (bytes) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    headers['Content-Type'] = 'application/octet-stream';
    headers['Content-Digest'] = `sha-256=:${btoa(String.fromCharCode(...hash))}:`;
  } else if (body) headers['Content-Type'] = 'application/json';
  let response: Response;
  let text: string;
  try {
    const sent = bytes ?? (body ? JSON.stringify(body) : null);
    response = await fetch(url, { method, body: sent, headers, signal, credentials: 'include' });
    text = await response.text();
  } catch (cause) {
    if (signal.aborted && !(signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'))
      throw cause;
    throw new UploadError(apiError(null, null, fallback), { cause });
  }
  if (response.status === 204) return null;
  const parsed = parseJson(text);
  if (response.ok && parsed !== null) return parsed;
  throw new UploadError(apiError(response.status, parsed, fallback, response.headers.get('Retry-After')));
}

/** Null if it isn't JSON, such as a proxy's error page. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal.addEventListener('abort', stop, { once: true });
  });
}
