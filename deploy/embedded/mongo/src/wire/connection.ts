import type { Socket } from 'node:net';
import { messageLength, type Request, readMessage } from './message.ts';

/** Answers one request with an encoded message. It never throws: an error is a reply with `ok: 0`. */
export type Answer = (request: Request, connectionId: number, responseId: number) => Buffer;

/** What a connection needs of the server. */
export interface ConnectionOptions {
  connectionId: number;
  answer: Answer;
  log: (line: string) => void;
}

/**
 * Serves one client: splits the bytes into messages, answers each in order, and stops reading while the client does not
 * read its answers. Invalid bytes end only this connection.
 */
export function serveConnection(socket: Socket, { connectionId, answer, log }: ConnectionOptions): void {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let nextResponseId = 1;

  const handle = (bytes: Buffer): void => {
    const request = readMessage(bytes);
    const reply = answer(request, connectionId, nextResponseId++);
    if (!request.wantsReply || socket.destroyed) return;
    const flushed = socket.write(reply);
    if (!flushed) socket.pause();
  };

  /** Joins chunks only when a message is complete, so that a large message is copied once. */
  const drainMessages = (): void => {
    while (!socket.destroyed && !socket.isPaused()) {
      if (pending.length > 1 && pending[0]!.length < 4) pending = [Buffer.concat(pending)];
      const length = pending[0] && messageLength(pending[0]);
      if (length === undefined || pendingBytes < length) return;
      const joined = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
      pending = joined.length > length ? [joined.subarray(length)] : [];
      pendingBytes -= length;
      handle(joined.subarray(0, length));
    }
  };

  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      log(`connection ${connectionId} closed: ${error instanceof Error ? error.message : String(error)}`);
      socket.destroy();
    }
  };

  socket.setNoDelay(true);
  socket.on('data', (chunk) => {
    pending.push(chunk);
    pendingBytes += chunk.length;
    guarded(drainMessages);
  });
  socket.on('drain', () => {
    socket.resume();
    guarded(drainMessages);
  });
  socket.on('error', (error) => log(`connection ${connectionId}: ${error.message}`));
}
