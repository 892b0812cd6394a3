import { S3Error } from './s3-error.ts';

const MAX_KEY_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
/** XML 1.0 cannot hold these, so a listing could not name the object. */
const UNLISTABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/**
 * The key that MinIO stores an object under, and so this server too: a leading slash goes, and with it doubled slashes.
 * @throws {S3Error} what MinIO answers: XMinioInvalidResourceName for a segment `.` or `..`, KeyTooLongError over 1024 bytes,
 *   XMinioInvalidObjectName for an empty segment or one over 255 bytes; InvalidArgument for a character that XML cannot hold
 */
export function parseObjectKey(decoded: string): string {
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
