import type { IncomingMessage } from 'node:http';
import { XMLParser } from 'fast-xml-parser';
import { listObjects } from './list-objects.ts';
import { deleteObject, deleteObjects, getObject, headObject, putObject } from './objects.ts';
import { type RunOperation, requireBucket, sendXml } from './operation.ts';
import { receiveText } from './receive-body.ts';
import { S3_NAMESPACE, S3Error } from './s3-error.ts';
import type { S3Target } from './s3-request.ts';

const MAX_CONFIGURATION_BYTES = 64 * 1024;
/** Amazon's rule for bucket names, without the reserved prefixes. */
const BUCKET_NAME = /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const parser = new XMLParser({ parseTagValue: false });

/** Lists all buckets sorted by name. Their owner is whoever has the key. */
const listBuckets: RunOperation = ({ response, store }) => {
  const buckets = store.buckets().map(({ name, createdMs }) => ({
    Name: name,
    CreationDate: new Date(createdMs).toISOString(),
  }));
  const owner = { ID: 'embedded-s3', DisplayName: 'embedded-s3' };
  sendXml(response, 200, {
    ListAllMyBucketsResult: { '@xmlns': S3_NAMESPACE, Owner: owner, Buckets: { Bucket: buckets } },
  });
};

const removeBucket: RunOperation = (call) => {
  requireBucket(call);
  if (!call.store.removeBucket(call.target.bucket)) {
    throw new S3Error('BucketNotEmpty', 'The bucket you tried to delete is not empty', {
      BucketName: call.target.bucket,
    });
  }
  call.response.writeHead(204).end();
};

const headBucket: RunOperation = (call) => {
  requireBucket(call);
  call.response.writeHead(200, { 'x-amz-bucket-region': call.region }).end();
};

const getBucketLocation: RunOperation = (call) => {
  requireBucket(call);
  // Amazon returns an empty element for its first region.
  const location = call.region === 'us-east-1' ? '' : call.region;
  sendXml(call.response, 200, { LocationConstraint: { '@xmlns': S3_NAMESPACE, '#text': location } });
};

const makeBucket: RunOperation = async ({ request, response, target, payload, store, region }) => {
  const body =
    request.headers['content-length'] === undefined ? '' : await receiveText(request, payload, MAX_CONFIGURATION_BYTES);
  if (!BUCKET_NAME.test(target.bucket)) throw new S3Error('InvalidBucketName', 'The specified bucket is not valid.');
  const asked: unknown = body === '' ? undefined : parser.parse(body)?.CreateBucketConfiguration?.LocationConstraint;
  if (asked && asked !== region) {
    throw new S3Error('IllegalLocationConstraintException', `This server has only the region ${region}.`);
  }
  if (!store.addBucket(target.bucket)) {
    throw new S3Error('BucketAlreadyOwnedByYou', 'The bucket you tried to create already exists, and you own it.');
  }
  response.writeHead(200, { location: `/${target.bucket}`, 'content-length': 0 }).end();
};

type Operation = {
  method: string;
  on: 'service' | 'bucket' | 'object';
  /** A query parameter that distinguishes operations with the same method. */
  marker?: string;
  /** Other supported query parameters. Requests with any other are rejected. */
  query?: readonly string[];
  run: RunOperation;
};

const RESPONSE_OVERRIDES = [
  'response-content-type',
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-expires',
];
const LIST_QUERY = ['prefix', 'delimiter', 'max-keys', 'start-after', 'continuation-token', 'encoding-type'];

const OPERATIONS: readonly Operation[] = [
  { method: 'GET', on: 'service', run: listBuckets },
  { method: 'HEAD', on: 'bucket', run: headBucket },
  { method: 'PUT', on: 'bucket', run: makeBucket },
  { method: 'DELETE', on: 'bucket', run: removeBucket },
  { method: 'GET', on: 'bucket', marker: 'location', run: getBucketLocation },
  { method: 'GET', on: 'bucket', marker: 'list-type', query: LIST_QUERY, run: listObjects },
  { method: 'POST', on: 'bucket', marker: 'delete', run: deleteObjects },
  { method: 'PUT', on: 'object', run: putObject },
  { method: 'HEAD', on: 'object', query: RESPONSE_OVERRIDES, run: headObject },
  { method: 'GET', on: 'object', query: RESPONSE_OVERRIDES, run: getObject },
  { method: 'DELETE', on: 'object', run: deleteObject },
];

const SIGNING_QUERY = /^x-amz-(algorithm|credential|date|expires|signedheaders|signature|content-sha256)$/i;

/** Any other x-amz- header would change the meaning of a request, so it is rejected rather than ignored. */
const SUPPORTED_AMZ_HEADERS = /^x-amz-(date|content-sha256|user-agent|meta-.+)$/;
const UNSUPPORTED_HEADERS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'];

const notImplemented = (what: string): S3Error =>
  new S3Error('NotImplemented', `${what} is not supported by this server.`);

/** Finds the operation of a request. @throws {S3Error} NotImplemented for anything missing from the table above */
export function findOperation(request: IncomingMessage, target: S3Target): RunOperation {
  const on = target.bucket === '' ? 'service' : target.key === '' ? 'bucket' : 'object';
  const names = [...target.query.keys()].filter((name) => !SIGNING_QUERY.test(name));
  const operation = OPERATIONS.find(
    ({ method, on: level, marker, query = [] }) =>
      method === request.method &&
      level === on &&
      (marker === undefined || names.includes(marker)) &&
      names.every((name) => name === marker || query.includes(name)),
  );
  if (!operation) throw notImplemented([request.method, 'of', on, names.map((name) => `?${name}`)].flat().join(' '));
  for (const name of Object.keys(request.headers)) {
    const unsupported =
      UNSUPPORTED_HEADERS.includes(name) || (name.startsWith('x-amz-') && !SUPPORTED_AMZ_HEADERS.test(name));
    if (unsupported) throw notImplemented(`The header ${name}`);
  }
  if (request.headers['content-encoding']?.includes('aws-chunked')) throw notImplemented('The encoding aws-chunked');
  return operation.run;
}
