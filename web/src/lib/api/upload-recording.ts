import { type ApiError, apiError } from './api-error.ts';

interface UploadOptions {
  url: string;
  form: FormData;
  token: string | null;
  /** The message if the server gives none. */
  fallback: string;
  signal: AbortSignal;
}

/** Retries of a 503 before the user is asked. */
const busyRetries = 3;
const busyPauseS = 2;
const longestPauseS = 30;

/** An upload that failed; `error` is what a screen shows. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly error: ApiError;

  constructor(error: ApiError, options?: ErrorOptions) {
    super(error.message, options);
    this.error = error;
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

/** The body as JSON; null if it is not JSON (a proxy's error page). */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function post({ url, form, token, fallback, signal }: UploadOptions): Promise<unknown> {
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

/**
 * Sends a recording, without a timeout. Retries a 503 a few times, after the pause the server asks for.
 * @throws UploadError on any other failure
 * @throws the signal's reason when aborted
 */
export async function uploadRecording(options: UploadOptions): Promise<unknown> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await post(options);
    } catch (failure) {
      const busy = failure instanceof UploadError && failure.error.status === 503;
      if (!busy || attempt >= busyRetries) throw failure;
      await pause(Math.min(failure.error.retryAfterS ?? busyPauseS, longestPauseS), options.signal);
    }
  }
}
