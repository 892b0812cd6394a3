import type { EditConflict } from '@interview-prep/contracts/api/error-body';
import type { OutagePart } from '../process/outages.ts';

/** One invalid field; `path` is dotted, such as `questions.0`. */
interface ErrorDetail {
  path: string;
  message: string;
}

/** An error whose `message` (for people) and `code` (for programs) a client may see. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[] | undefined;
  /** Sent as Retry-After, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  readonly conflict: EditConflict | undefined;
  /** The dependency whose outage caused this, if any. */
  readonly outage: OutagePart | null;

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      cause?: unknown;
      details?: readonly ErrorDetail[];
      retryAfterSeconds?: number;
      outage?: OutagePart;
      conflict?: EditConflict;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.conflict = options.conflict;
    this.outage = options.outage ?? null;
  }
}

export function badRequest(message: string, details?: readonly ErrorDetail[]): HttpError {
  return new HttpError(400, 'invalid_request', message, details ? { details } : {});
}

/** A 400 for one field, identified by its dotted `path`. */
export function invalidField(path: string, message: string): HttpError {
  return badRequest(message, [{ path, message }]);
}

export function unauthorized(message = 'Please sign in', cause?: unknown): HttpError {
  return new HttpError(401, 'unauthorized', message, { cause });
}

export function forbidden(message = 'You are not allowed to do this'): HttpError {
  return new HttpError(403, 'forbidden', message);
}

export function notFound(message: string): HttpError {
  return new HttpError(404, 'not_found', message);
}

export function conflict(message: string): HttpError {
  return new HttpError(409, 'conflict', message);
}

export function tooLarge(message: string): HttpError {
  return new HttpError(413, 'too_large', message);
}

export function unsupportedMedia(message: string): HttpError {
  return new HttpError(415, 'unsupported_media', message);
}

/** @param retryAfterSeconds when the limit allows the next request */
export function tooManyRequests(message: string, retryAfterSeconds: number): HttpError {
  return new HttpError(429, 'too_many_requests', message, { retryAfterSeconds });
}

/** A 503: a dependency of this service is down, and the client may retry. @param outage the dependency, if it is part of the product */
export function unavailable(message: string, cause?: unknown, outage?: OutagePart): HttpError {
  return new HttpError(503, 'unavailable', message, { cause, retryAfterSeconds: 2, ...(outage ? { outage } : {}) });
}
