/** Names one field at fault; `path` in dots: `questions.0`. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** An error that may leave the product: `message` is for a person, `code` for a machine. Everything else becomes a 500. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[] | undefined;
  /** Sent as Retry-After, in seconds. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { cause?: unknown; details?: readonly ErrorDetail[]; retryAfterSeconds?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const badRequest = (message: string, details?: readonly ErrorDetail[]) =>
  new HttpError(400, 'invalid_request', message, details ? { details } : {});
export const unauthorized = (message = 'Please sign in') => new HttpError(401, 'unauthorized', message);
export const forbidden = (message = 'You are not allowed to do this') => new HttpError(403, 'forbidden', message);
export const notFound = (message: string) => new HttpError(404, 'not_found', message);
export const conflict = (message: string) => new HttpError(409, 'conflict', message);
export const tooLarge = (message: string) => new HttpError(413, 'too_large', message);
export const unsupportedMedia = (message: string) => new HttpError(415, 'unsupported_media', message);
export const tooManyRequests = (message: string, retryAfterSeconds: number) =>
  new HttpError(429, 'too_many_requests', message, { retryAfterSeconds });
/** Something behind is down; the caller may try again. */
export const unavailable = (message: string, cause?: unknown) =>
  new HttpError(503, 'unavailable', message, { cause, retryAfterSeconds: 2 });
