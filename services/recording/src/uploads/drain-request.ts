import type { ErrorRequestHandler } from 'express';

/** Who goes on sending for longer, or more, after the refusal is cut off: nobody may hold a connection this way. */
const longestMs = 5000;
const mostBytes = 4 * 1024 * 1024;

/**
 * Answers a refused upload at once, and reads on for a moment: were the connection broken while a client, or the gateway,
 * is still writing, it would see that instead of the answer.
 */
export const drainRequest: ErrorRequestHandler = (error, req, _res, next) => {
  if (!req.readableEnded && !req.destroyed) {
    let drained = 0;
    const cut = () => req.destroy();
    const timer = setTimeout(cut, longestMs);
    const done = () => clearTimeout(timer);
    req.once('end', done).once('close', done);
    req.on('data', (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > mostBytes) cut();
    });
    req.resume();
  }
  next(error);
};
