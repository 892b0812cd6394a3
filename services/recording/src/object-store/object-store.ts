import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import { addAbortSignal, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '@interview-prep/kit/http/http-error';
import type { Logger } from '@interview-prep/kit/process/logger';
import { s3Address } from '@interview-prep/kit/s3-address';
import { Histogram } from '@prometheus-io/client';
import { Client, type ClientOptions } from 'minio';
import { type ObjectStoreSettings, unusableSetting } from './object-store-settings.ts';
import { isPermanentRefusal, S3Error, StoreRefusal } from './store-refusal.ts';

/** An inclusive range of bytes. */
export interface ByteRange {
  start: number;
  end: number;
}

/** No object has this key. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
}

/**
 * One bucket. Every call @throws HttpError 503 during an outage, StoreRefusal when retrying won't help. A missing bucket counts
 * as an outage: it is created again, and the next call works.
 */
export interface ObjectStore {
  /**
   * Creates the bucket if it is missing. Waits while the object store is down.
   * @throws UnusableSetting if waiting won't help: a wrong key, region, bucket or certificate
   */
  prepare(log: Logger): Promise<void>;
  /** Stores a file of `sizeBytes` bytes. A failed call leaves no partial object. */
  putFile(key: string, path: string, sizeBytes: number, mediaType: string, signal?: AbortSignal): Promise<void>;
  /** Stores an object that fits into memory. */
  putBytes(key: string, bytes: Buffer): Promise<void>;
  /** Streams an object, or a range of it. Destroying the stream ends the transfer. @throws ObjectMissing */
  get(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<Readable>;
  /** Deletes every object whose key has this prefix. */
  removeAll(prefix: string): Promise<void>;
  /** Whether the bucket exists. */
  works(): Promise<boolean>;
  /** The metric for the duration of its calls. */
  seconds: Histogram<'operation' | 'outcome'>;
}

const outageMessage = 'Recordings cannot be stored or fetched right now. Please try again.';
/** How long the object store may take to respond, or to accept the next bytes of an upload. */
const timeoutMs = 6000;
const urlLifetimeSeconds = 300;

/** Creates a client for the object store. Connects on the first call. */
export function createObjectStore(settings: ObjectStoreSettings): ObjectStore {
  const { S3_BUCKET: bucket, S3_REGION: region } = settings;
  const client = createClient(settings);

  const bucketExists = async (): Promise<boolean> => {
    try {
      // A HEAD request, which `client.bucketExists` sends, gets no error code in its response.
      await repeatable(() => client.listObjectsV2Query(bucket, '', '', '', 1, ''));
      return true;
    } catch (error) {
      if (error instanceof S3Error && error.code === 'NoSuchBucket') return false;
      throw error;
    }
  };

  const makeBucket = async (): Promise<void> => {
    await client.makeBucket(bucket, region).catch((error: unknown) => {
      // Another process created it between the two calls.
      if (!(error instanceof S3Error && error.code === 'BucketAlreadyOwnedByYou')) throw error;
    });
  };

  /** @throws StoreRefusal for a permanent refusal, otherwise HttpError 503. Creates a missing bucket first. */
  const fail = async (error: unknown): Promise<never> => {
    if (!(error instanceof S3Error)) throw unavailable(outageMessage, error, 'object-store');
    if (isPermanentRefusal(error)) throw new StoreRefusal(error);
    if (error.code !== 'NoSuchBucket') throw unavailable(outageMessage, error, 'object-store');
    const remedy = await makeBucket().then(
      () => new Error('the bucket was missing, with everything in it; it was created again', { cause: error }),
      (cause: unknown) => new Error('the bucket is missing and cannot be created', { cause }),
    );
    throw unavailable(outageMessage, remedy, 'object-store');
  };

  const seconds = new Histogram({
    name: 'object_store_request_duration_seconds',
    help: 'Time that the object store took, for a download until its first byte, by operation and outcome',
    labelNames: ['operation', 'outcome'] as const,
    registers: [],
  });
  const measured = async <T>(operation: 'put' | 'get' | 'delete', run: () => Promise<T>): Promise<T> => {
    const end = seconds.startTimer({ operation });
    try {
      const result = await run();
      end({ outcome: 'completed' });
      return result;
    } catch (error) {
      end({ outcome: error instanceof ObjectMissing ? 'missing' : 'failed' });
      throw error;
    }
  };

  return {
    seconds,
    async prepare(log) {
      for (;;) {
        try {
          if (!(await bucketExists())) await makeBucket();
          return;
        } catch (error) {
          const unusable = unusableSetting(error);
          if (unusable) throw unusable;
          log.warn({ err: error }, 'the object store is not ready yet');
          await pause(1000);
        }
      }
    },
    putFile: (key, path, sizeBytes, mediaType, signal) =>
      measured('put', async () => {
        const url = await client.presignedPutObject(bucket, key, urlLifetimeSeconds);
        await sendFile(url, path, sizeBytes, mediaType, signal).catch(fail);
      }),
    putBytes: (key, bytes) =>
      measured('put', async () => {
        await repeatable(() => client.putObject(bucket, key, bytes, bytes.length)).catch(fail);
      }),
    async get(key, { range, signal } = {}) {
      const [start, length] = range ? [range.start, range.end - range.start + 1] : [0, 0];
      const object = await measured('get', () =>
        repeatable(() => client.getPartialObject(bucket, key, start, length)).catch((error) => {
          if (error instanceof S3Error && error.code === 'NoSuchKey') {
            throw new ObjectMissing(`There is no object ${key}`, { cause: error });
          }
          return fail(error);
        }),
      );
      // A paused player reads nothing for a long time.
      (object as http.IncomingMessage).setTimeout(0);
      return signal ? addAbortSignal(signal, object) : object;
    },
    removeAll: (prefix) =>
      measured('delete', async () => {
        for (;;) {
          const { objects } = await repeatable(() => client.listObjectsV2Query(bucket, prefix, '', '', 1000, '')).catch(
            fail,
          );
          if (objects.length === 0) return;
          const names = objects.map(({ name = '' }) => name);
          const [kept] = await repeatable(() => client.removeObjects(bucket, names)).catch(fail);
          if (kept) await fail(new Error('some objects were not deleted', { cause: kept }));
        }
      }),
    works: bucketExists,
  };
}

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;

/**
 * minio's own errors have no status, and it logs to the console when retrying a 503. So the transport turns every refusal into an
 * S3Error. Node's client never follows redirects: signed requests go only to the configured endpoint.
 */
function createClient(settings: ObjectStoreSettings): Client {
  const address = s3Address(settings.S3_ENDPOINT);
  const request = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const sending = (address.useSSL ? https : http).request({ ...options, timeout: timeoutMs });
    sending.once('timeout', () => sending.destroy(new Error('the object store did not respond in time')));
    sending.once('response', (response: http.IncomingMessage) => {
      if (isSuccess(response.statusCode)) return onResponse(response);
      const refuse = (body: string) =>
        sending.emit('error', new S3Error(options.method ?? 'GET', response.statusCode ?? 0, body));
      text(response).then(refuse, () => refuse(''));
    });
    return sending;
  };
  return new Client({
    ...address,
    accessKey: settings.S3_ACCESS_KEY,
    secretKey: settings.S3_SECRET_KEY,
    region: settings.S3_REGION,
    transport: { request } as NonNullable<ClientOptions['transport']>,
    retryOptions: { disableRetry: true },
  });
}

/** Repeats an idempotent request once: the store may close an idle connection just as it is reused. */
const repeatable = <T>(send: () => Promise<T>): Promise<T> =>
  send().catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') return send();
    throw error;
  });

/**
 * Sends a file as one PUT request. `client.putObject` would read a whole part into memory, and takes a body that ends early for
 * success; `fetch` reads the file far ahead of what the store accepts.
 */
async function sendFile(url: string, path: string, sizeBytes: number, mediaType: string, signal?: AbortSignal) {
  const sending = (url.startsWith('https:') ? https : http).request(url, {
    method: 'PUT',
    headers: { 'content-type': mediaType, 'content-length': sizeBytes },
    timeout: timeoutMs,
    ...(signal ? { signal } : {}),
  });
  sending.once('timeout', () => sending.destroy(new Error('the object store stopped accepting the upload')));
  const responding = once(sending, 'response') as Promise<[http.IncomingMessage]>;
  const file = createReadStream(path);
  const sent = pipeline(file, sending);
  try {
    // A refusal may arrive before the whole file is sent, and is more specific than the connection error that follows.
    const [response] = await Promise.race([responding, sent.then(() => responding)]);
    const body = await text(response);
    if (!isSuccess(response.statusCode)) throw new S3Error('PUT', response.statusCode ?? 0, body);
    // A fast store may respond and close the connection before the file stream reports its end.
    if (file.bytesRead < sizeBytes) await sent;
  } finally {
    sending.destroy();
    await Promise.allSettled([sent]);
  }
}
