import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { unavailable } from './http-error.ts';
import { answerError } from './service-app.ts';

/** The time limit for a response, from when the whole request has arrived. The gateway waits a little longer. */
export const requestDeadlineMs = 9000;

/** The extra time per megabyte of an upload, since an object store may be slow. */
const uploadMegabyteMs = 1000;

/** Whether a request has a body, which a client may take longer than the deadline to send. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Responds with 503 if a request is unanswered after `limitMs`, plus a second per megabyte for uploads. The handler
 * continues, but its result is dropped. As after a lost connection, the client can't tell whether the work was done.
 */
export function requestDeadline(limitMs: number, isUpload = false): RequestHandler {
  return (req, res, next) => {
    const startTimer = () => {
      const megabytes = isUpload ? Number(req.headers['content-length'] ?? 0) / 1e6 : 0;
      const timer = setTimeout(
        () => {
          if (!res.headersSent) answerError(unavailable('This took too long. Please try again.'), req, res, next);
        },
        limitMs + megabytes * uploadMegabyteMs,
      );
      res.once('close', () => clearTimeout(timer));
    };
    if (hasBody(req)) req.once('end', startTimer);
    else startTimer();
    next();
  };
}

/** The interval of the responses that tell the gateway an upload is still being stored. */
const interimResponseMs = 3000;

/**
 * For uploads, whose deadline depends on their size: sends 102 Processing until they are answered. Without these responses the
 * gateway aborts the upload.
 */
export const sendInterimResponses: RequestHandler = (_req, res, next) => {
  const timer = setInterval(() => {
    if (!res.headersSent) res.writeProcessing();
  }, interimResponseMs);
  res.once('close', () => clearInterval(timer));
  next();
};
