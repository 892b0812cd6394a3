import type { LiveStatus } from '@interview-prep/contracts/recordings';
import { HttpError, tooManyRequests } from '@interview-prep/kit/http-error';
import type { OwnedLiveStatus } from '@interview-prep/kit/live-status';
import type { Logger } from '@interview-prep/kit/logger';
import type { Response } from 'express';

/** Tabs that one user may keep open. */
const streamsPerUser = 20;
const heartbeatMs = 15_000;
/** A reader who lets more than this pile up has gone away without saying so. */
const mostUnsentBytes = 64 * 1024;
/** The longest that setTimeout can wait. */
const longestTimeoutMs = 2 ** 31 - 1;

/** Who reads a stream, and until when. */
export interface StreamReader {
  userId: string;
  /** Seconds since 1970. */
  expiresAt: number;
  /** Looks again whether the reader's token is still good. @throws HttpError 401 once it is not */
  check(): Promise<unknown>;
}

/** The event streams that are open in this process. */
export interface LiveStreams {
  /** Makes an answer an event stream. @throws HttpError 429 where its user has too many */
  open(reader: StreamReader, res: Response): void;
  /** Sends a status to its owner's streams. */
  send(status: OwnedLiveStatus): void;
  /** Ends all of them, so that their readers connect elsewhere. */
  close(): void;
}

export function createLiveStreams(log: Logger): LiveStreams {
  const byUser = new Map<string, Map<Response, StreamReader>>();

  const write = (res: Response, text: string) => {
    // A stream that was ended and is still here has a reader who takes nothing; a write after the end would be an error.
    if (res.writableEnded || res.writableLength > mostUnsentBytes) res.destroy();
    else res.write(text);
  };
  const beat = async (res: Response, reader: StreamReader) => {
    try {
      await reader.check();
    } catch (error) {
      if (error instanceof HttpError && error.status === 401) {
        res.end();
        return;
      }
      // Without Redis nothing can be told of the token; nothing is sent then either.
      log.warn({ err: error }, 'an event stream could not be checked');
    }
    write(res, ': still here\n\n');
  };
  const heartbeat = setInterval(() => {
    for (const streams of byUser.values()) for (const [res, reader] of streams) void beat(res, reader);
  }, heartbeatMs).unref();

  return {
    open(reader, res) {
      const { userId, expiresAt } = reader;
      const streams = byUser.get(userId) ?? new Map<Response, StreamReader>();
      if (streams.size >= streamsPerUser) throw tooManyRequests('Too many windows are open', 30);
      byUser.set(userId, streams.set(res, reader));

      const expiry = setTimeout(() => res.end(), Math.min(expiresAt * 1000 - Date.now(), longestTimeoutMs));
      res.once('close', () => {
        clearTimeout(expiry);
        streams.delete(res);
        if (streams.size === 0 && byUser.get(userId) === streams) byUser.delete(userId);
      });
      res.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-cache, no-transform',
        // Proxies like nginx would hold the events back.
        'X-Accel-Buffering': 'no',
      });
      res.write('retry: 2000\n\n');
    },
    send({ userId, ...status }) {
      const message: LiveStatus = status;
      for (const res of byUser.get(userId)?.keys() ?? []) {
        write(res, `event: recording\ndata: ${JSON.stringify(message)}\n\n`);
      }
    },
    close() {
      clearInterval(heartbeat);
      for (const streams of byUser.values()) for (const res of streams.keys()) res.end();
    },
  };
}
