import type { IncomingMessage } from 'node:http';
import { S3Error } from './s3-error.ts';

const MAX_KEY_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
/** Characters that XML 1.0 cannot represent, so that a listing couldn't include the object. */
const UNLISTABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/**
 * Normalizes a key as MinIO does: the leading slash is removed, and in that case repeated slashes are collapsed.
 * @throws {S3Error} MinIO's errors: XMinioInvalidResourceName for a segment `.` or `..`, KeyTooLongError over 1024 bytes,
 *   XMinioInvalidObjectName for an empty segment or one over 255 bytes; InvalidArgument for characters invalid in XML
 */
function parseObjectKey(decoded: string): string {
  if (decoded.split('/').some((segment) => /^\.{1,2}$/.test(segment.trim())))
    throw new S3Error('XMinioInvalidResourceName', 'Resource name contains bad components such as ".." or ".".');
  if (UNLISTABLE.test(decoded)) throw new S3Error('InvalidArgument', 'The key holds a character that XML cannot hold.');
  const key = decoded.startsWith('/') ? decoded.replaceAll(/\/+/g, '/').slice(1) : decoded;
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError', 'Your key is too long');
  const hasLongSegment = key.split('/').some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES);
  if (key.includes('//') || hasLongSegment)
    throw new S3Error('XMinioInvalidObjectName', 'Object name contains unsupported characters.');
  return key;
}

/** The resource of a request: path-style, `/<bucket>/<key>`. */
export type S3Target = {
  /** The path exactly as received, still percent-encoded: that is what was signed. */
  rawPath: string;
  /** Empty for the service itself (`/`). */
  bucket: string;
  /** Empty for a bucket. Never becomes part of a file name. */
  key: string;
  query: Map<string, string>;
};

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    if (cause instanceof URIError) throw new S3Error('InvalidURI', "Couldn't parse the specified URI.");
    throw cause;
  }
}

function parseQuery(raw: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    // A repeated name could be signed with one value and read with the other.
    if (query.has(name)) throw new S3Error('InvalidArgument', `The query parameter ${name} is given twice.`);
    query.set(name, equals < 0 ? '' : decode(pair.slice(equals + 1)));
  }
  return query;
}

/**
 * Parses the resource of a request.
 * @throws {S3Error} InvalidURI for broken percent-encoding, InvalidArgument for a repeated query parameter, and for invalid keys
 */
export function parseTarget(request: IncomingMessage): S3Target {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const rawPath = mark < 0 ? url : url.slice(0, mark);
  if (!rawPath.startsWith('/')) throw new S3Error('InvalidURI', "Couldn't parse the specified URI.");
  const slash = rawPath.indexOf('/', 1);
  const bucket = decode(slash < 0 ? rawPath.slice(1) : rawPath.slice(1, slash));
  const key = slash < 0 ? '' : parseObjectKey(decode(rawPath.slice(slash + 1)));
  return { rawPath, bucket, key, query: parseQuery(mark < 0 ? '' : url.slice(mark + 1)) };
}
