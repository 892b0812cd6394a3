import type { ErrorBody } from '@interview-prep/contracts/error-body';
import { Error as MongooseError } from 'mongoose';
import { z } from 'zod';
import { badRequest, conflict, HttpError, tooLarge, unavailable, unsupportedMedia } from './http-error.ts';
import { isDuplicateKey } from './mongo.ts';

/** Messages of express's body parser by its error type. */
const parserFaults: Record<string, HttpError> = {
  'entity.parse.failed': badRequest('The request body is not valid JSON'),
  'entity.too.large': tooLarge('The request body is too large'),
  'encoding.unsupported': unsupportedMedia('This content encoding is not supported'),
  'charset.unsupported': unsupportedMedia('This character set is not supported'),
  'request.aborted': badRequest('The request was aborted'),
  'request.size.invalid': badRequest('The request was cut short'),
};

/** What express's own parts refuse without a type: a body that is not in its encoding, a range outside a file. */
const isRefusal = (error: Error): error is Error & { status: number } =>
  'expose' in error &&
  error.expose === true &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500;

/** A zod error as the 400 it is: the message of the first fault, each fault with its path. */
export function invalidInput(error: z.core.$ZodError): HttpError {
  const details = error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  return new HttpError(400, 'invalid_request', details[0]?.message ?? 'The request is not valid', { details });
}

/** Any error as one that may leave the product. */
function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof z.core.$ZodError) return invalidInput(error);
  if (error instanceof MongooseError.CastError) return badRequest('This id is not valid');
  if (error instanceof URIError) return badRequest('This address is not valid');
  if (isDuplicateKey(error)) return conflict('This already exists');
  if (error instanceof Error) {
    const parser = 'type' in error && typeof error.type === 'string' ? parserFaults[error.type] : undefined;
    if (parser) return parser;
    if (isRefusal(error)) return new HttpError(error.status, 'invalid_request', 'The request is not valid');
    const away = /^(Mongo(ServerSelection|Network|NotConnected|Pool)|MaxRetriesPerRequest)/.test(error.name);
    if (away) return unavailable('The service can not reach its data right now. Please try again.', error);
  }
  return new HttpError(500, 'internal', 'Something went wrong on our side. Please try again.', { cause: error });
}

/** Status and body (without request id) for an error; nothing of an unexpected error shows. */
export function errorResponse(error: unknown): { status: number; body: ErrorBody; retryAfterSeconds?: number } {
  const { status, code, message, details, retryAfterSeconds } = asHttpError(error);
  return {
    status,
    body: { message, code, ...(details ? { details: [...details] } : {}) },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
