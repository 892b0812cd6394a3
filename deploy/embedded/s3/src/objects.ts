import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { StoredObject } from './object-store.ts';
import { type RunOperation, requireBucket, type S3Call, sendXml } from './operation.ts';
import { receiveFile, receiveText } from './receive-body.ts';
import { S3_NAMESPACE, S3Error } from './s3-error.ts';

/** Fits a thousand keys of 1024 escaped bytes. */
const MAX_BODY_BYTES = 8 * 1024 ** 2;
const MAX_KEYS = 1000;

const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  isArray: (_name, path) => path === 'Delete.Object',
  processEntities: { enabled: true, maxTotalExpansions: Number.POSITIVE_INFINITY, maxExpandedLength: MAX_BODY_BYTES },
});

type DeleteDocument = { Delete?: { Quiet?: string; Object?: unknown[] } };

const malformed = (): S3Error =>
  new S3Error('MalformedXML', 'The XML you provided was not well-formed or did not validate against our schema.');

function parseKeys(xml: string): { keys: string[]; quiet: boolean } {
  if (XMLValidator.validate(xml) !== true) throw malformed();
  const { Delete: document } = parser.parse(xml) as DeleteDocument;
  const objects = document?.Object ?? [];
  if (objects.length === 0 || objects.length > MAX_KEYS) throw malformed();
  const keys = objects.map((object) => {
    if (typeof object !== 'object' || object === null || !('Key' in object)) throw malformed();
    if ('VersionId' in object && object.VersionId !== 'null') {
      throw new S3Error('NotImplemented', 'This server keeps no versions of objects.');
    }
    if (typeof object.Key !== 'string' || object.Key === '') throw malformed();
    return object.Key;
  });
  return { keys, quiet: document?.Quiet === 'true' };
}

export const deleteObjects: RunOperation = async (call) => {
  requireBucket(call);
  const { keys, quiet } = parseKeys(await receiveText(call.request, call.payload, MAX_BODY_BYTES));
  for (const key of keys) await call.store.remove(call.target.bucket, key);
  const deleted = quiet ? [] : keys.map((Key) => ({ Key }));
  sendXml(call.response, 200, { DeleteResult: { '@xmlns': S3_NAMESPACE, Deleted: deleted } });
};

/** First and last byte, both inclusive. */
type ByteRange = { start: number; end: number };

/**
 * Parses the Range header of a request for an object of `size` bytes. Returns undefined without a header, for several ranges,
 * and for a header that is not a byte range: S3 then responds with the whole object.
 * @throws {S3Error} InvalidRange if the range ends before it starts, or doesn't overlap the object
 */
function parseByteRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [first, last] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || end < start) {
    throw new S3Error('InvalidRange', 'The requested range is not satisfiable', { ActualObjectSize: String(size) });
  }
  return { start, end };
}

/** Headers that are stored and returned with an object, in addition to every x-amz-meta- header. */
const KEPT_HEADERS = [
  'content-type',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
];
const MAX_METADATA_BYTES = 2048;

function keptHeaders(request: S3Call['request']): Record<string, string> {
  const kept: Record<string, string> = { 'content-type': 'application/octet-stream' };
  let metadataBytes = 0;
  for (const [name, value] of Object.entries(request.headers)) {
    const isMetadata = name.startsWith('x-amz-meta-');
    if (typeof value !== 'string' || !(isMetadata || KEPT_HEADERS.includes(name))) continue;
    kept[name] = value;
    if (isMetadata) metadataBytes += name.length - 'x-amz-meta-'.length + value.length;
  }
  if (metadataBytes > MAX_METADATA_BYTES) throw new S3Error('InvalidArgument', 'The metadata exceeds 2048 bytes.');
  return kept;
}

const noSuchKey = (key: string): S3Error => new S3Error('NoSuchKey', 'The specified key does not exist.', { Key: key });

function objectHeaders(object: StoredObject, query: S3Call['target']['query']): Record<string, string> {
  const headers: Record<string, string> = {
    ...object.headers,
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
  };
  for (const name of KEPT_HEADERS) {
    const override = query.get(`response-${name}`);
    if (override !== undefined) headers[name] = override;
  }
  return headers;
}

function span(call: S3Call, object: StoredObject) {
  const range = parseByteRange(call.request.headers.range, object.size);
  const headers = objectHeaders(object, call.target.query);
  if (!range) return { status: 200, headers: { ...headers, 'content-length': object.size }, range: undefined };
  const partial = {
    'content-length': range.end - range.start + 1,
    'content-range': `bytes ${range.start}-${range.end}/${object.size}`,
  };
  return { status: 206, headers: { ...headers, ...partial }, range };
}

export const putObject: RunOperation = async (call) => {
  requireBucket(call);
  const { request, response, target, payload, store } = call;
  const headers = keptHeaders(request);
  const incoming = store.incomingPath();
  const { size, md5 } = await receiveFile(request, payload, incoming);
  try {
    // The bucket may have been removed during the upload.
    if (!(await store.put(target.bucket, target.key, incoming, { size, etag: md5, headers }))) requireBucket(call);
  } finally {
    await rm(incoming, { force: true });
  }
  response.writeHead(200, { etag: `"${md5}"`, 'content-length': 0 }).end();
};

export const headObject: RunOperation = (call) => {
  requireBucket(call);
  const object = call.store.find(call.target.bucket, call.target.key);
  if (!object) throw noSuchKey(call.target.key);
  const { status, headers } = span(call, object);
  call.response.writeHead(status, headers).end();
};

export const getObject: RunOperation = async (call) => {
  requireBucket(call);
  const found = await call.store.open(call.target.bucket, call.target.key);
  if (!found) throw noSuchKey(call.target.key);
  const { object, file } = found;
  try {
    const { status, headers, range } = span(call, object);
    call.response.writeHead(status, headers);
    await pipeline(file.createReadStream({ autoClose: false, ...range }), call.response);
  } finally {
    await file.close();
  }
};

export const deleteObject: RunOperation = async (call) => {
  requireBucket(call);
  await call.store.remove(call.target.bucket, call.target.key);
  call.response.writeHead(204).end();
};
