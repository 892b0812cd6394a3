import type { ErrorBody } from '@interview-prep/contracts/api/error-body';
import { z } from 'zod';
import { isCastError, isDuplicateKey } from '../mongo/mongo-errors.ts';
import { outageOf } from '../process/outages.ts';
import { badRequest, conflict, HttpError, tooLarge, unavailable, unsupportedMedia } from './http-error.ts';

/** Refusals of Express's body parser, by the error's `type`. */
const bodyParserErrors: Record<string, HttpError> = {
  'entity.parse.failed': badRequest('The request body is not valid JSON'),
  'entity.too.large': tooLarge('The request body is too large'),
  'encoding.unsupported': unsupportedMedia('This content encoding is not supported'),
  'charset.unsupported': unsupportedMedia('This character set is not supported'),
  'request.aborted': badRequest('The request was aborted'),
  'request.size.invalid': badRequest('The request was cut short'),
};

/** An error from Express itself without a type: a body that can't be decompressed, a range outside the file. */
function isClientError(error: Error): error is Error & { status: number } {
  if (!('expose' in error && error.expose === true && 'status' in error)) return false;
  return typeof error.status === 'number' && error.status >= 400 && error.status < 500;
}

/** The 400 for input that fails its schema: the first issue's message, and every issue with its path. */
function invalidInput(error: z.core.$ZodError): HttpError {
  const details = error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  return new HttpError(400, 'invalid_request', details[0]?.message ?? 'The request is not valid', { details });
}

function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof z.core.$ZodError) return invalidInput(error);
  if (isCastError(error)) return badRequest('This id is not valid');
  if (error instanceof URIError) return badRequest('This address is not valid');
  if (isDuplicateKey(error)) return conflict('This already exists');
  if (error instanceof Error && 'type' in error && typeof error.type === 'string') {
    const known = bodyParserErrors[error.type];
    if (known) return known;
  }
  if (error instanceof Error && isClientError(error)) {
    return new HttpError(error.status, 'invalid_request', 'The request is not valid');
  }
  if (outageOf(error)) return unavailable('The service cannot reach its data right now. Please try again.', error);
  return new HttpError(500, 'internal', 'Something went wrong on our side. Please try again.', { cause: error });
}

/** Status and body (without request id) for any error. The client learns nothing about an unexpected one. */
export function errorResponse(error: unknown): { status: number; body: ErrorBody; retryAfterSeconds?: number } {
  const { status, code, message, details, conflict, retryAfterSeconds } = asHttpError(error);
  return {
    status,
    body: { message, code, ...(details ? { details: [...details] } : {}), ...(conflict ? { conflict } : {}) },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
