import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '@interview-prep/kit/http-error';
import type { Logger } from '@interview-prep/kit/logger';
import { http } from '@interview-prep/kit/node-http';
import aws4 from 'aws4';
import { type ObjectStoreSettings, unusableSetting } from './object-store-settings.ts';
import { S3Error } from './s3-error.ts';
import { isPermanentRefusal, StoreRefusal } from './store-refusal.ts';

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
 * One bucket. Each call @throws HttpError 503 while the object store is down, StoreRefusal where it refuses for good. A bucket
 * that is gone is an outage too: it is made again, and the next call works.
 */
export interface ObjectStore {
  /**
   * Creates the bucket if it is missing. Waits for the object store for as long as it is down.
   * @throws UnusableSetting where waiting would not help: a wrong key, region, bucket or certificate
   */
  prepare(log: Logger): Promise<void>;
  /** Stores a file of `sizeBytes` bytes. A failed call leaves no partial object. */
  putFile(key: string, path: string, sizeBytes: number, mediaType: string, signal?: AbortSignal): Promise<void>;
  /** Streams an object, or a range of it. Destroying the stream ends the transfer. @throws ObjectMissing */
  get(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<Readable>;
  /** Deletes every object whose key begins like this. */
  removeAll(prefix: string): Promise<void>;
  /** Whether the bucket can be reached. */
  works(): Promise<boolean>;
}

const outageMessage = 'Recordings can not be stored or fetched right now. Please try again.';
/** How long the object store may take to answer, or to take the next bytes of an upload. */
const timeoutMs = 6000;

const urlLifetimeSeconds = 300;
/** Amazon's default region takes no location when a bucket is made. */
const defaultRegion = 'us-east-1';

/** The object store of these settings. Connects at the first call. */
export function createObjectStore(settings: ObjectStoreSettings): ObjectStore {
  const endpoint = new URL(settings.S3_ENDPOINT);
  const bucket = settings.S3_BUCKET;
  const credentials = { accessKeyId: settings.S3_ACCESS_KEY, secretAccessKey: settings.S3_SECRET_KEY };
  const urlOf = (method: 'GET' | 'PUT' | 'DELETE', key: string, query: Record<string, string> = {}): string => {
    const url = new URL(key === '' ? `/${bucket}` : `/${bucket}/${key}`, endpoint);
    url.search = new URLSearchParams({ ...query, 'X-Amz-Expires': String(urlLifetimeSeconds) }).toString();
    const request = { method, host: url.host, path: url.pathname + url.search, region: settings.S3_REGION };
    const { path = '' } = aws4.sign({ ...request, service: 's3', signQuery: true }, credentials);
    return new URL(path, endpoint).href;
  };

  const bucketExists = async (): Promise<boolean> => {
    const url = urlOf('GET', '', { 'list-type': '2', 'max-keys': '1' });
    const { status, body } = await ask(url);
    if (isSuccess(status)) return true;
    const error = new S3Error('list', status, body);
    if (error.code === 'NoSuchBucket') return false;
    throw error;
  };

  const makeBucket = async (): Promise<void> => {
    const { S3_REGION: region } = settings;
    const location = `<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
    const { status, body } = await ask(urlOf('PUT', ''), 'PUT', region === defaultRegion ? '' : location);
    if (isSuccess(status)) return;
    const error = new S3Error('make bucket', status, body);
    // Another process made it between the two calls.
    if (error.code !== 'BucketAlreadyOwnedByYou') throw error;
  };

  /** Turns a refusal into an error: an outage, unless it is permanent. Creates a missing bucket first. */
  const failureOf = async (error: S3Error) => {
    if (isPermanentRefusal(error)) return new StoreRefusal(error);
    if (error.code !== 'NoSuchBucket') return unavailable(outageMessage, error, 'object-store');
    const remedy = await makeBucket().then(
      () => new Error('the bucket was missing, with all it held; it was made again', { cause: error }),
      (cause: unknown) => new Error('the bucket is missing, and can not be made again', { cause }),
    );
    return unavailable(outageMessage, remedy, 'object-store');
  };

  /** The first thousand keys that begin like this. */
  const listKeys = async (prefix: string): Promise<string[]> => {
    const url = urlOf('GET', '', { 'list-type': '2', prefix });
    const { status, body } = await ask(url).catch(outage);
    if (!isSuccess(status)) throw await failureOf(new S3Error('list', status, body));
    // Keys have no characters that XML escapes.
    return [...body.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key ?? '');
  };

  const removeObject = async (key: string): Promise<void> => {
    const { status, body } = await ask(urlOf('DELETE', key), 'DELETE').catch(outage);
    if (!isSuccess(status)) throw await failureOf(new S3Error('delete', status, body));
  };

  return {
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
    async putFile(key, path, sizeBytes, mediaType, signal) {
      const sending = openRequest(urlOf('PUT', key), {
        method: 'PUT',
        headers: { 'content-type': mediaType, 'content-length': sizeBytes },
        // Of the connection, while nothing goes over it.
        timeout: timeoutMs,
        ...(signal ? { signal } : {}),
      });
      sending.once('timeout', () => sending.destroy(new Error('the object store did not go on')));
      let refusal: S3Error | undefined;
      try {
        const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
        const sent = sendFile(path, sizeBytes, sending);
        // A refusal may come before everything is sent, and says more than the connection that breaks after it.
        const [response] = await Promise.race([answered, sent.then(() => answered)]);
        const body = await text(response);
        if (response.statusCode === 200) await sent;
        else refusal = new S3Error('put', response.statusCode ?? 0, body);
      } catch (error) {
        sending.destroy();
        outage(error);
      }
      if (refusal === undefined) return;
      sending.destroy();
      throw await failureOf(refusal);
    },
    async get(key, { range, signal } = {}) {
      const unanswered = new AbortController();
      const timer = setTimeout(() => unanswered.abort(new Error('the object store did not answer')), timeoutMs);
      const response = await send(urlOf('GET', key), {
        headers: range ? { range: `bytes=${range.start}-${range.end}` } : {},
        signal: signal ? AbortSignal.any([signal, unanswered.signal]) : unanswered.signal,
      }).catch(outage);
      clearTimeout(timer);
      if (isSuccess(response.statusCode)) return response;
      const refusal = new S3Error('get', response.statusCode ?? 0, await text(response));
      if (refusal.code === 'NoSuchKey') throw new ObjectMissing(`There is no object ${key}`, { cause: refusal });
      throw await failureOf(refusal);
    },
    async removeAll(prefix) {
      for (;;) {
        const keys = await listKeys(prefix);
        if (keys.length === 0) return;
        for (const key of keys) await removeObject(key);
      }
    },
    works: bucketExists,
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

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;

/** @throws HttpError 503, always */
function outage(cause: unknown): never {
  throw unavailable(outageMessage, cause, 'object-store');
}

/**
 * A request by Node's own client. `fetch` would read an upload's file far ahead of what the store accepts, and its parser
 * takes 10 MB of each process's memory. Redirects are not followed: signed requests go to the endpoint of the settings alone.
 */
const openRequest = (url: string, options: RequestOptions): ClientRequest =>
  (url.startsWith('https:') ? httpsRequest : http.request)(url, options);

/** Sends a request that may run twice. Its answer's body is still to be read. */
async function send(url: string, options: RequestOptions, body = ''): Promise<IncomingMessage> {
  const sending = openRequest(url, options);
  // Whoever reads the body gets the errors that come after the answer.
  sending.on('error', () => {});
  sending.end(body);
  try {
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    return response;
  } catch (error) {
    // The store may close an idle connection just when it is used again.
    const isStale = sending.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
    if (isStale) return send(url, options, body);
    throw error;
  }
}

/** Sends a short request that may run twice, and reads its answer. */
async function ask(url: string, method = 'GET', body = ''): Promise<{ status: number; body: string }> {
  const response = await send(url, { method, signal: AbortSignal.timeout(timeoutMs) }, body);
  return { status: response.statusCode ?? 0, body: await text(response) };
}
