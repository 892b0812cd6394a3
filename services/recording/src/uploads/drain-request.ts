import { limits } from '@interview-prep/contracts/limits';
import type { ErrorRequestHandler } from 'express';

/** A client that sends longer or more than this after the refusal is cut off. An upload of the largest size is not. */
const maxMs = 5000;
const maxBytes = limits.recordingMaxBytes + 1024 * 1024;

/**
 * Reads on for a moment after an upload was refused. If the connection broke while the client or the gateway still writes,
 * they would report that instead of the answer.
 */
export const drainRequest: ErrorRequestHandler = (error, req, _res, next) => {
  if (!req.readableEnded && !req.destroyed) {
    let drained = 0;
    const cut = () => req.destroy();
    const timer = setTimeout(cut, maxMs);
    const done = () => clearTimeout(timer);
    req.once('end', done).once('close', done);
    req.on('data', (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > maxBytes) cut();
    });
    req.resume();
  }
  next(error);
};
