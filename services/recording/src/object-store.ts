import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '@interview-prep/kit/http-error';
import type { Logger } from '@interview-prep/kit/logger';
import { Client } from 'minio';
import { z } from 'zod';

/** The object store for media: any server that speaks S3. */
export const objectStoreSettings = {
  S3_ENDPOINT: z.url(),
  S3_ACCESS_KEY: z.string().min(1),
  S3_SECRET_KEY: z.string().min(1),
  S3_BUCKET: z.string().default('recordings'),
  S3_REGION: z.string().default('us-east-1'),
};

/** An inclusive range of bytes. */
export interface ByteRange {
  start: number;
  end: number;
}

/** No object has this key. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
}

/** One bucket. Each call @throws HttpError 503 while the object store is down. */
export interface ObjectStore {
  /** Creates the bucket if it is missing. Waits for the object store for as long as it is down. */
  prepare(log: Logger): Promise<void>;
  /** Stores a file of `sizeBytes` bytes. A failed call leaves no partial object. */
  putFile(key: string, path: string, sizeBytes: number, mediaType: string, signal?: AbortSignal): Promise<void>;
  /** Streams an object, or a range of it. Destroying the stream ends the transfer. @throws ObjectMissing */
  get(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<Readable>;
  /** Whether the bucket can be reached. */
  works(): Promise<boolean>;
}

const outageMessage = 'Recordings can not be stored or fetched right now. Please try again.';
/** For an answer, and for an upload of ten megabytes. */
const timeoutMs = 30_000;
const urlLifetimeSeconds = 300;

/** The object store of these settings. Connects at the first call. */
export function createObjectStore(settings: z.infer<z.ZodObject<typeof objectStoreSettings>>): ObjectStore {
  const endpoint = new URL(settings.S3_ENDPOINT);
  const secure = endpoint.protocol === 'https:';
  const client = new Client({
    endPoint: endpoint.hostname,
    port: endpoint.port ? Number(endpoint.port) : secure ? 443 : 80,
    useSSL: secure,
    accessKey: settings.S3_ACCESS_KEY,
    secretKey: settings.S3_SECRET_KEY,
    region: settings.S3_REGION,
    pathStyle: true,
    retryOptions: { disableRetry: true },
  });
  const bucket = settings.S3_BUCKET;

  const putFile: ObjectStore['putFile'] = async (key, path, sizeBytes, mediaType, signal) => {
    // The client's streamed put can't be aborted, and hangs if its source fails. fetch would read the body far ahead of
    // what the store accepts.
    const url = await client.presignedPutObject(bucket, key, urlLifetimeSeconds);
    const sending = (secure ? httpsRequest : httpRequest)(url, {
      method: 'PUT',
      headers: { 'content-type': mediaType, 'content-length': sizeBytes },
      signal: withTimeout(signal),
    });
    try {
      const [[response]] = await Promise.all([
        once(sending, 'response') as Promise<[IncomingMessage]>,
        sendFile(path, sizeBytes, sending),
      ]);
      await pipeline(response, discard);
      if (response.statusCode !== 200) throw new Error(`the object store answered ${response.statusCode} to a put`);
    } catch (error) {
      sending.destroy();
      throw unavailable(outageMessage, error, 'object-store');
    }
  };

  return {
    async prepare(log) {
      for (;;) {
        try {
          if (!(await client.bucketExists(bucket))) await client.makeBucket(bucket, settings.S3_REGION);
          return;
        } catch (error) {
          // Another process may have created the bucket between the two calls: the next attempt finds it.
          log.warn({ err: error }, 'the object store is not ready yet');
          await pause(1000);
        }
      }
    },
    putFile,
    async get(key, { range, signal } = {}) {
      const url = await client.presignedGetObject(bucket, key, urlLifetimeSeconds);
      const unanswered = new AbortController();
      const timer = setTimeout(() => unanswered.abort(new Error('the object store did not answer')), timeoutMs);
      const response = await request(url, {
        headers: range ? { range: `bytes=${range.start}-${range.end}` } : {},
        signal: signal ? AbortSignal.any([signal, unanswered.signal]) : unanswered.signal,
      });
      clearTimeout(timer);
      if (response.ok && response.body) return Readable.fromWeb(response.body as ReadableStream);
      await response.text();
      if (response.status === 404) throw new ObjectMissing(`There is no object ${key}`);
      throw unavailable(
        outageMessage,
        new Error(`the object store answered ${response.status} to a get`),
        'object-store',
      );
    },
    works: () => client.bucketExists(bucket),
  };
}

/** Sends a file as the body of a request, through one small buffer, so that many uploads at once need little memory. */
async function sendFile(path: string, sizeBytes: number, sending: ClientRequest): Promise<void> {
  const broken = once(sending, 'close').then(() => {
    throw new Error('the object store closed the connection');
  });
  // The caller, which awaits the answer, sees this error as well.
  broken.catch(() => {});
  const buffer = Buffer.allocUnsafeSlow(64 * 1024);
  const file = await open(path);
  try {
    for (let sent = 0; sent < sizeBytes; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, sizeBytes - sent), sent);
      if (bytesRead === 0) throw new Error('the file is shorter than it was');
      const written = new Promise<void>((resolve, reject) => {
        sending.write(buffer.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve()));
      });
      // Without a connection the write never calls back.
      await Promise.race([written, broken]);
      sent += bytesRead;
    }
    sending.end();
  } finally {
    await file.close();
  }
}

async function discard(chunks: AsyncIterable<unknown>) {
  for await (const _chunk of chunks);
}

function withTimeout(signal?: AbortSignal) {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw unavailable(outageMessage, error, 'object-store');
  }
}
