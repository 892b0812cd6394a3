import type {
  SessionKind,
  UploadedInterviewRecording,
  UploadedPracticeRecording,
} from '@interview-prep/contracts/recordings';
import { type ApiError, apiError } from '../../../lib/api/api-error.ts';
import { routeUrl } from '../../../lib/api/route-request.ts';
import { fallbacks } from '../../../lib/messages.ts';
import type { AnswerTarget } from './take.ts';

/** The upload request of each kind. Source: product specification, section 3, uploads. */
const requests = {
  interview: {
    url: routeUrl('uploadInterviewRecording'),
    setId: 'interviewSetId',
    setTitle: 'interviewSetTitle',
    file: 'audio',
    fallback: fallbacks.uploadRecording,
  },
  practice: {
    url: routeUrl('uploadPracticeRecording'),
    setId: 'practiceSetId',
    setTitle: 'practiceSetTitle',
    file: 'file',
    fallback: fallbacks.uploadPracticeRecording,
  },
} as const;

/** Retries of a 503 before the candidate has to try again. */
const maxRetries = 3;
/** The pause before a retry, where the server asks for none. */
const defaultPauseS = 2;
const maxPauseS = 30;

/** An upload that failed; `error` is what a screen shows. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly error: ApiError;

  constructor(error: ApiError, options?: ErrorOptions) {
    super(error.message, options);
    this.error = error;
  }
}

/**
 * Uploads an answer, without a timeout. Retries a 503 a few times, after the pause that the server asks for.
 * @throws UploadError on any other failure
 * @throws the signal's reason when aborted
 */
export async function uploadAnswer(
  kind: SessionKind,
  target: AnswerTarget,
  media: Blob,
  token: string | null,
  signal: AbortSignal,
): Promise<UploadedInterviewRecording | UploadedPracticeRecording> {
  const { url, fallback, ...names } = requests[kind];
  const form = new FormData();
  form.set('sessionId', target.sessionId);
  form.set('questionId', String(target.questionId));
  form.set(names.setId, target.setId);
  form.set(names.setTitle, target.setTitle);
  form.set('setUpdatedAt', target.setUpdatedAt);
  if (target.askedQuestions) form.set('askedQuestions', target.askedQuestions.join(','));
  if (target.sources) form.set('sources', JSON.stringify(target.sources));
  form.set('technologyCategory', target.technology);
  // The API fixes the name; the part's type is the recorded one.
  form.set(names.file, media, 'recording.webm');
  for (let retries = 0; ; retries += 1) {
    try {
      const answer = await post({ url, form, token, fallback, signal });
      return (answer as { recording: UploadedInterviewRecording | UploadedPracticeRecording }).recording;
    } catch (failure) {
      const busy = failure instanceof UploadError && failure.error.status === 503;
      if (!busy || retries >= maxRetries) throw failure;
      await pause(Math.min(failure.error.retryAfterS ?? defaultPauseS, maxPauseS), signal);
    }
  }
}

interface UploadRequest {
  url: string;
  form: FormData;
  token: string | null;
  /** The message if the server gives none. */
  fallback: string;
  signal: AbortSignal;
}

async function post({ url, form, token, fallback, signal }: UploadRequest): Promise<unknown> {
  const headers: HeadersInit = token ? { Authorization: `Bearer ${token}` } : {};
  let response: Response;
  try {
    response = await fetch(url, { method: 'POST', body: form, headers, signal, credentials: 'include' });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new UploadError(apiError(null, null, fallback), { cause });
  }
  const body = await bodyOf(response);
  if (response.ok && body !== null) return body;
  throw new UploadError(apiError(response.status, body, fallback, response.headers.get('Retry-After')));
}

/** The body as JSON; null if it is not JSON (a proxy's error page). */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
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
