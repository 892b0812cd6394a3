import { HttpError } from '@interview-prep/kit/http/http-error';

/** A refusal of an S3 server. `code` is S3's, e.g. NoSuchKey; '' if the response isn't S3's. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  readonly code: string;
  /** The server's message, or ''. */
  readonly detail: string;

  constructor(method: string, status: number, body: string) {
    const code = elementOf(body, 'Code');
    const detail = elementOf(body, 'Message');
    const refusal = ['the object store responded', status, code, `to ${method}`].filter(Boolean).join(' ');
    super(detail ? `${refusal}: ${detail}` : refusal);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/** The text of an element of S3's error document, or ''. */
const elementOf = (body: string, name: string): string =>
  new RegExp(`<${name}>([^<]{1,500})</${name}>`).exec(body)?.[1]?.trim() ?? '';

/** A permanent refusal of the object store, such as of an object that is too large. */
export class StoreRefusal extends HttpError {
  constructor(cause: S3Error) {
    super(502, 'storage_refused', 'The server has no way to store or fetch this recording.', { cause });
  }
}

/**
 * Refusals that the same request may get past later: the operator fixes a key or a clock (401, 403), the bucket is created again
 * (404), or the request was too slow, too early or collided with another.
 */
const transientStatuses: ReadonlySet<number> = new Set([401, 403, 404, 408, 409, 423, 425, 429]);

/** The same, among the codes that come with a status of 400. Source: Amazon's "Error responses", MinIO's error table. */
const transientCodes: ReadonlySet<string> = new Set([
  'ExpiredToken',
  'IncompleteBody',
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'SlowDown',
  'TooManyRequests',
  'XMinioAdminBucketQuotaExceeded',
]);

/** Whether a retry would be refused too. Except for 413, a response that isn't S3's, such as a proxy's page, is not conclusive. */
export function isPermanentRefusal({ status, code }: S3Error): boolean {
  if (status === 413) return true;
  if (status < 400 || status >= 500 || code === '') return false;
  return !transientStatuses.has(status) && !transientCodes.has(code);
}
