import { createReadStream } from 'node:fs';
import { connect, isIP, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { connect as connectSecurely } from 'node:tls';
import { uploadMessages } from '@interview-prep/contracts/recording/recordings';
import { HttpError, unavailable } from '@interview-prep/kit/http/http-error';
import type { Logger } from '@interview-prep/kit/process/logger';

/**
 * Scans an uploaded file before it is stored.
 * @throws HttpError 415 `infected` if a virus was found; 503 if the scanner gives no verdict
 */
export type VirusScan = (path: string) => Promise<void>;

/** Must be shorter than the ten seconds in which uploads are answered. */
const defaultTimeoutMs = 8000;

/** Longer than any clamd reply. */
const maxReplyBytes = 4096;

/** Creates a scan by clamd; without an address, one that passes everything. */
export function createVirusScan(
  address: string | undefined,
  log: Logger,
  timeoutMs: number = defaultTimeoutMs,
): VirusScan {
  if (address === undefined) return async () => {};
  const { protocol, hostname, port } = new URL(address.includes('://') ? address : `tcp://${address}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: Number(port), timeoutMs, isSecure: protocol === 'tls:' };
  return async (path) => {
    const reply = await askScanner(target, path).catch((cause: unknown) => {
      throw noVerdict(cause);
    });
    // Source: clamd's manual page, INSTREAM.
    const found = /^stream: (.+) FOUND$/.exec(reply)?.[1];
    if (found !== undefined) {
      log.warn({ virus: found }, 'a virus was found in an upload, which was refused');
      throw new HttpError(415, 'infected', uploadMessages.infected);
    }
    if (reply !== 'stream: OK') throw noVerdict(new Error(`clamd answered: ${reply}`));
  };
}

const noVerdict = (cause: unknown) =>
  unavailable('Recordings cannot be checked for viruses right now. Please try again.', cause);

async function askScanner(
  { host, port, timeoutMs, isSecure }: { host: string; port: number; timeoutMs: number; isSecure: boolean },
  path: string,
): Promise<string> {
  // Set the server name for hosts only; Node checks the certificate of an IP address without one.
  const serverName = isIP(host) ? {} : { servername: host };
  const socket = isSecure ? connectSecurely({ host, port, ...serverName }) : connect({ host, port });
  const timer = setTimeout(() => socket.destroy(new Error(`clamd did not answer within ${timeoutMs} ms`)), timeoutMs);
  const sending = new AbortController();
  // If clamd refuses a stream, it replies with the reason and closes early: only the reply counts.
  pipeline(frames(path), socket, { end: false, signal: sending.signal }).catch(() => undefined);
  try {
    const reply = await readReply(socket);
    if (reply === '') throw new Error('clamd closed the connection without a reply');
    return reply;
  } finally {
    clearTimeout(timer);
    sending.abort();
    socket.destroy();
  }
}

/** The file as a clamd INSTREAM command: chunks prefixed with their length in four bytes, ending with an empty one. */
async function* frames(path: string): AsyncGenerator<Buffer> {
  const lengthOf = (length: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(length);
    return bytes;
  };
  yield Buffer.from('zINSTREAM\0');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    yield lengthOf(chunk.length);
    yield chunk;
  }
  yield lengthOf(0);
}

/** The reply up to its terminating zero byte, or as much as arrived before the connection closed. */
function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = Buffer.alloc(0);
    const text = () =>
      reply
        .subarray(0, reply.includes(0) ? reply.indexOf(0) : undefined)
        .toString('latin1')
        .trim();
    socket.on('data', (chunk: Buffer) => {
      reply = Buffer.concat([reply, chunk]);
      if (reply.includes(0) || reply.length > maxReplyBytes) resolve(text());
    });
    socket.once('error', (error) => (reply.length > 0 ? resolve(text()) : reject(error)));
    socket.once('close', () => resolve(text()));
  });
}
