import type { ErrorRequestHandler } from 'express';

/** More than any recorder sends; someone who sends beyond this is cut off. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Reads what is left of a refused upload before the refusal is answered: a client, or the gateway, that is still
 * writing would see a broken connection instead of the answer.
 */
export const drainRequest: ErrorRequestHandler = (error, req, res, next) => {
  if (req.readableEnded || req.destroyed) {
    next(error);
    return;
  }
  let drained = 0;
  const count = (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > mostBytes) {
      res.setHeader('Connection', 'close');
      done();
    }
  };
  const done = () => {
    req.off('data', count).off('end', done).off('close', done);
    next(error);
  };
  req.on('data', count).once('end', done).once('close', done);
  req.resume();
};
