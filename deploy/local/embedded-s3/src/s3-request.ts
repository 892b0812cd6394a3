import type { IncomingMessage } from 'node:http';
import { S3Error } from './s3-error.ts';

/** What a request addresses: path-style, `/<bucket>/<key>`. */
export type S3Target = {
  /** The path exactly as it came, still percent-encoded: that is what was signed. */
  rawPath: string;
  /** Empty for the service itself (`/`). */
  bucket: string;
  /** Empty for a bucket. Any text: it never becomes part of a file name. */
  key: string;
  query: Map<string, string>;
};

const MAX_KEY_BYTES = 1024;
/** XML 1.0 cannot hold these, so a listing could never name the object. */
const UNLISTABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

const decode = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    if (cause instanceof URIError) throw new S3Error('InvalidURI', "Couldn't parse the specified URI.");
    throw cause;
  }
};

const parseQuery = (raw: string): Map<string, string> => {
  const query = new Map<string, string>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    // A doubled name could be signed as one value and obeyed as the other.
    if (query.has(name)) throw new S3Error('InvalidArgument', `The query parameter ${name} is given twice.`);
    query.set(name, equals < 0 ? '' : decode(pair.slice(equals + 1)));
  }
  return query;
};

/** Throws InvalidURI for broken percent-encoding, KeyTooLongError over 1024 bytes. */
export const parseTarget = (request: IncomingMessage): S3Target => {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const rawPath = mark < 0 ? url : url.slice(0, mark);
  if (!rawPath.startsWith('/')) throw new S3Error('InvalidURI', "Couldn't parse the specified URI.");
  const slash = rawPath.indexOf('/', 1);
  const bucket = decode(slash < 0 ? rawPath.slice(1) : rawPath.slice(1, slash));
  const key = slash < 0 ? '' : decode(rawPath.slice(slash + 1));
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError', 'Your key is too long.');
  if (UNLISTABLE.test(key)) throw new S3Error('InvalidArgument', 'The key holds a character that XML cannot carry.');
  return { rawPath, bucket, key, query: parseQuery(mark < 0 ? '' : url.slice(mark + 1)) };
};
