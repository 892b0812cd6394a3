import type { ObjectStore } from './object-store.ts';
import { type RunOperation, requireBucket, sendXml } from './operation.ts';
import { S3_NAMESPACE, S3Error } from './s3-error.ts';

const MAX_KEYS = 1000;
const TOKEN_PREFIX = 'from-';

type Listed = ReturnType<ObjectStore['page']>[number];
type Entry = { kind: 'object'; object: Listed } | { kind: 'prefix'; prefix: string };
type Listing = { entries: Entry[]; next: string | undefined };

/** The immediate successor of a key in byte order. */
const successor = (key: string): string => `${key}\0`;
const later = (a: string, b: string): string => (Buffer.compare(Buffer.from(a), Buffer.from(b)) >= 0 ? a : b);

/** Lists the keys from `from` on that start with `prefix`. With a delimiter, deeper keys are grouped into common prefixes. */
function list(
  store: ObjectStore,
  bucket: string,
  { prefix, from, delimiter, limit }: { prefix: string; from: string; delimiter: string; limit: number },
): Listing {
  const entries: Entry[] = [];
  let position = later(prefix, from);
  let folder: string | undefined;
  for (;;) {
    const page = store.page(bucket, position, MAX_KEYS);
    for (const object of page) {
      if (!object.key.startsWith(prefix)) return { entries, next: undefined };
      if (folder !== undefined && object.key.startsWith(folder)) continue;
      if (entries.length === limit) return { entries, next: object.key };
      const cut = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length);
      if (cut < 0) {
        entries.push({ kind: 'object', object });
        position = successor(object.key);
      } else {
        folder = object.key.slice(0, cut + 1);
        entries.push({ kind: 'prefix', prefix: folder });
        // '0' is the byte after '/', so the next page starts after the folder, whatever its size.
        position = `${folder.slice(0, -1)}0`;
      }
    }
    if (page.length < MAX_KEYS) return { entries, next: undefined };
  }
}

function parseMaxKeys(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new S3Error('InvalidArgument', 'max-keys must be a number, 0 or more.');
  return Math.min(Number(text), MAX_KEYS);
}

function parseToken(token: string): string {
  const from = Buffer.from(token.slice(TOKEN_PREFIX.length), 'base64url').toString();
  if (token !== tokenFor(from)) throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  return from;
}
const tokenFor = (from: string): string => TOKEN_PREFIX + Buffer.from(from).toString('base64url');

export const listObjects: RunOperation = (call) => {
  requireBucket(call);
  const { query, bucket } = call.target;
  const asked = (name: string): string => query.get(name) ?? '';
  if (asked('list-type') !== '2')
    throw new S3Error('NotImplemented', 'This server supports only version 2 of listing.');
  if (!['', '/'].includes(asked('delimiter')))
    throw new S3Error('NotImplemented', 'This server supports only the delimiter /.');
  if (!['', 'url'].includes(asked('encoding-type'))) {
    throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request');
  }
  const limit = parseMaxKeys(query.get('max-keys') ?? String(MAX_KEYS));
  const token = asked('continuation-token');
  const startAfter = asked('start-after');
  const from = token !== '' ? parseToken(token) : startAfter !== '' ? successor(startAfter) : '';
  const delimiter = asked('delimiter');
  const { entries, next } =
    limit === 0
      ? { entries: [], next: undefined }
      : list(call.store, bucket, { prefix: asked('prefix'), from, delimiter, limit });

  const encode = (text: string): string =>
    asked('encoding-type') === 'url' ? encodeURIComponent(text).replaceAll('%2F', '/') : text;
  sendXml(call.response, 200, {
    ListBucketResult: {
      '@xmlns': S3_NAMESPACE,
      Name: bucket,
      Prefix: encode(asked('prefix')),
      KeyCount: entries.length,
      MaxKeys: limit,
      ...(delimiter !== '' && { Delimiter: encode(delimiter) }),
      ...(asked('encoding-type') !== '' && { EncodingType: 'url' }),
      ...(startAfter !== '' && { StartAfter: encode(startAfter) }),
      ...(token !== '' && { ContinuationToken: token }),
      IsTruncated: next !== undefined,
      ...(next !== undefined && { NextContinuationToken: tokenFor(next) }),
      Contents: entries.flatMap((entry) =>
        entry.kind === 'object'
          ? {
              Key: encode(entry.object.key),
              LastModified: new Date(entry.object.modifiedMs).toISOString(),
              ETag: `"${entry.object.etag}"`,
              Size: entry.object.size,
              StorageClass: 'STANDARD',
            }
          : [],
      ),
      CommonPrefixes: entries.flatMap((entry) => (entry.kind === 'prefix' ? { Prefix: encode(entry.prefix) } : [])),
    },
  });
};
