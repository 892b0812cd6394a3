import { limits } from '@interview-prep/contracts/api/limits';
import type { ErrorRequestHandler } from 'express';

/** A client that sends for longer, or more, than this after a refusal is cut off. The largest upload is below these limits. */
const maxMs = 5000;
const maxBytes = limits.recordingMaxBytes + 1024 * 1024;

/**
 * Keeps reading for a while after an upload was refused. If the connection were closed while the client or the gateway still
 * writes, they would report a broken connection instead of the answer.
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
