import { recordingRoutes } from '@interview-prep/contracts/recording/recordings';
import { forbidden, HttpError, tooManyRequests } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { OwnedLiveStatus } from '@interview-prep/kit/redis/live-status';
import type { TokenVerifier } from '@interview-prep/kit/tokens/access-tokens';
import type { Response } from 'express';

/** The most open streams per user and process; each window needs one. */
const streamsPerUserMax = 20;

const heartbeatMs = 15_000;
/** A reader with more unread data than this is considered gone: its connection broke silently. */
const maxUnsentBytes = 64 * 1024;
/** The longest delay that setTimeout supports. */
const longestTimeoutMs = 2 ** 31 - 1;

/** The reader of a stream, and when its access expires. */
interface StreamReader {
  userId: string;
  /** An admin also receives events about recordings of these sessions. */
  sessionIds?: readonly string[] | undefined;
  /** Unix time in seconds. */
  expiresAt: number;
  /** Verifies the reader's token again, without counting as a use of the sign-in. @throws HttpError 401 once it is revoked or expired */
  check(): Promise<unknown>;
}

/** The event streams that are open in this process. */
export interface LiveStreams {
  /** Turns a response into an event stream. @throws HttpError 429 if the user has too many */
  open(reader: StreamReader, res: Response): void;
  /** Sends a status to its owner's streams and to admins viewing its session; transcript text goes only to the owner. */
  send(status: OwnedLiveStatus): void;
  /** Ends all streams, so that browsers reconnect, perhaps to another process, and load any events they missed. */
  endAll(): void;
  /** Ends all streams and the heartbeat. */
  close(): void;
}

/** Starts the heartbeat, which also checks each reader's token. */
export function createLiveStreams(log: Logger): LiveStreams {
  const byUser = new Map<string, Map<Response, StreamReader>>();

  const write = (res: Response, text: string) => {
    // An ended stream that is still open has a stalled reader. Writing to it would throw.
    if (res.writableEnded || res.writableLength > maxUnsentBytes) res.destroy();
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
      // While Redis is down no status is published either, so nothing leaks to a revoked token.
      log.warn({ err: error }, 'the token of an event stream could not be checked');
    }
    write(res, ': still here\n\n');
  };
  const heartbeat = setInterval(() => {
    for (const streams of byUser.values()) for (const [res, reader] of streams) void beat(res, reader);
  }, heartbeatMs).unref();

  const endAll = () => {
    for (const streams of byUser.values()) for (const res of streams.keys()) res.end();
  };

  return {
    open(reader, res) {
      const { userId, expiresAt } = reader;
      const streams = byUser.get(userId) ?? new Map<Response, StreamReader>();
      if (streams.size >= streamsPerUserMax) throw tooManyRequests('Too many windows are open', 30);
      byUser.set(userId, streams.set(res, reader));

      const expiry = setTimeout(() => res.end(), Math.min(expiresAt * 1000 - Date.now(), longestTimeoutMs));
      res.once('close', () => {
        clearTimeout(expiry);
        streams.delete(res);
        if (streams.size === 0 && byUser.get(userId) === streams) byUser.delete(userId);
      });
      res.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        // Keeps proxies like nginx from buffering the events.
        'X-Accel-Buffering': 'no',
      });
      res.write('retry: 2000\n\n');
    },
    send({ userId, ...message }) {
      const event = 'uploadId' in message ? 'words' : 'recording';
      const text = `event: ${event}\ndata: ${JSON.stringify(message)}\n\n`;
      for (const res of byUser.get(userId)?.keys() ?? []) write(res, text);
      if (!('sessionId' in message)) return;
      for (const [readerId, streams] of byUser) {
        if (readerId === userId) continue;
        for (const [res, { sessionIds }] of streams) if (sessionIds?.includes(message.sessionId)) write(res, text);
      }
    },
    endAll,
    close() {
      clearInterval(heartbeat);
      endAll();
    },
  };
}

export function serveLiveEvents(server: RouteServer, streams: LiveStreams, verify: TokenVerifier): void {
  server.serve(recordingRoutes.events, async ({ query: { sessionIds }, req, res, user }) => {
    if (sessionIds !== undefined && user.role !== 'admin') throw forbidden();
    const token = (req.headers.authorization ?? '').replace(/^Bearer /i, '');
    streams.open({ userId: user.sub, sessionIds, expiresAt: user.exp, check: () => verify(token, false) }, res);
    return null;
  });
}
