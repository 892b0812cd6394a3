import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { S3Error } from './s3-error.ts';
import type { SignedPayload } from './verify-signature.ts';

/** A received body: its size in bytes, and its MD5 in hex. */
export type ReceivedBody = { size: number; md5: string };

const MAX_OBJECT_BYTES = 5 * 1024 ** 3;

function declaredLength(request: IncomingMessage, maxBytes: number): number {
  const declared = request.headers['content-length'];
  if (declared === undefined) {
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.');
  }
  if (Number(declared) > maxBytes) {
    throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
      MaxSizeAllowed: String(maxBytes),
    });
  }
  return Number(declared);
}

function declaredMd5(request: IncomingMessage): string | undefined {
  const declared = request.headers['content-md5'];
  if (declared === undefined) return undefined;
  const bytes = Buffer.from(String(declared), 'base64');
  if (bytes.length !== 16) throw new S3Error('InvalidDigest', 'The Content-MD5 you specified is not valid.');
  return bytes.toString('hex');
}

/** Hashes a stream. `check` compares the result with the declared and signed values. */
function measure(request: IncomingMessage, payload: SignedPayload, maxBytes: number) {
  const length = declaredLength(request, maxBytes);
  const expectedMd5 = declaredMd5(request);
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let size = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      md5.update(chunk);
      if (payload !== 'unsigned') sha256.update(chunk);
      done(null, chunk);
    },
  });
  const check = (): ReceivedBody => {
    if (size !== length) throw new S3Error('InvalidRequest', 'The body is shorter than its Content-Length.');
    if (payload !== 'unsigned' && sha256.digest('hex') !== payload.sha256) {
      throw new S3Error('XAmzContentSHA256Mismatch', 'The provided x-amz-content-sha256 does not match the body.');
    }
    const received = { size, md5: md5.digest('hex') };
    if (expectedMd5 !== undefined && expectedMd5 !== received.md5) {
      throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.');
    }
    return received;
  };
  return { meter, check };
}

/**
 * Streams the body into a new file and syncs it. The file is removed if the body is truncated, differs from its signed hash,
 * or is larger than 5 GiB.
 * @throws {S3Error} with the reason
 */
export async function receiveFile(
  request: IncomingMessage,
  payload: SignedPayload,
  path: string,
): Promise<ReceivedBody> {
  const { meter, check } = measure(request, payload, MAX_OBJECT_BYTES);
  try {
    await pipeline(request, meter, createWriteStream(path, { flags: 'wx', flush: true }));
    return check();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Reads a small body (an XML document). @throws {S3Error} EntityTooLarge over `maxBytes` */
export async function receiveText(request: IncomingMessage, payload: SignedPayload, maxBytes: number): Promise<string> {
  const { meter, check } = measure(request, payload, maxBytes);
  const [text] = await Promise.all([buffer(meter), pipeline(request, meter)]);
  check();
  return text.toString('utf8');
}
