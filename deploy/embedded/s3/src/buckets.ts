import { XMLParser } from 'fast-xml-parser';
import { type RunOperation, requireBucket, sendXml } from './operation.ts';
import { receiveText } from './receive-body.ts';
import { S3Error } from './s3-error.ts';
import { S3_NAMESPACE } from './xml.ts';

const MAX_CONFIGURATION_BYTES = 64 * 1024;
/** Amazon's rule for bucket names, without its reserved prefixes. */
const BUCKET_NAME = /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const parser = new XMLParser({ parseTagValue: false });

/** Answers with all buckets in the order of their names. Their owner is whoever has the key. */
export const listBuckets: RunOperation = ({ response, store }) => {
  const buckets = store.buckets().map(({ name, createdMs }) => ({
    Name: name,
    CreationDate: new Date(createdMs).toISOString(),
  }));
  const owner = { ID: 'embedded-s3', DisplayName: 'embedded-s3' };
  sendXml(response, 200, {
    ListAllMyBucketsResult: { '@xmlns': S3_NAMESPACE, Owner: owner, Buckets: { Bucket: buckets } },
  });
};

export const removeBucket: RunOperation = (call) => {
  requireBucket(call);
  if (!call.store.removeBucket(call.target.bucket)) {
    throw new S3Error('BucketNotEmpty', 'The bucket you tried to delete is not empty', {
      BucketName: call.target.bucket,
    });
  }
  call.response.writeHead(204).end();
};

export const headBucket: RunOperation = (call) => {
  requireBucket(call);
  call.response.writeHead(200, { 'x-amz-bucket-region': call.region }).end();
};

export const getBucketLocation: RunOperation = (call) => {
  requireBucket(call);
  // Amazon returns an empty element for its first region.
  const location = call.region === 'us-east-1' ? '' : call.region;
  sendXml(call.response, 200, { LocationConstraint: { '@xmlns': S3_NAMESPACE, '#text': location } });
};

export const makeBucket: RunOperation = async ({ request, response, target, payload, store, region }) => {
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
