import type { ErrorBody } from '@interview-prep/contracts/api/error-body';

/** A failed call. `status` is null without a response (offline, server down). */
export interface ApiError {
  status: number | null;
  /** The server's message, else the endpoint's fallback. */
  message: string;
  code?: string;
  details?: ErrorBody['details'];
  /** Set if someone else has edited the same data. */
  conflict?: ErrorBody['conflict'];
  /** From Retry-After. */
  retryAfterS?: number;
}

/** Whether an id is unknown or malformed. */
export function isNotFound(error: unknown): boolean {
  const { status } = (error ?? {}) as Partial<ApiError>;
  return status === 404 || status === 400;
}

/** The `message` of an error body, if it has one. */
export function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message } = body as { message?: unknown };
  return typeof message === 'string' && message.trim() !== '' ? message : undefined;
}

/** Builds an `ApiError` from a response's status, body and Retry-After header. */
export function apiError(
  status: number | null,
  body: unknown,
  fallback: string,
  retryAfter: string | null = null,
): ApiError {
  const error: ApiError = { status, message: messageOf(body) ?? fallback };
  const { code, details, conflict } = (body ?? {}) as Partial<ErrorBody>;
  if (typeof code === 'string') error.code = code;
  if (Array.isArray(details)) error.details = details;
  if (conflict) error.conflict = conflict;
  const retryAfterS = Number(retryAfter);
  if (retryAfter !== null && Number.isFinite(retryAfterS)) error.retryAfterS = retryAfterS;
  return error;
}

/** The message of an error that a query or mutation threw, else the fallback. */
export function errorMessage(error: unknown, fallback: string): string {
  return messageOf(error) ?? fallback;
}
