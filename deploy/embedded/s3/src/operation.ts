import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ObjectStore } from './object-store.ts';
import { S3Error, toXml } from './s3-error.ts';
import type { S3Target } from './s3-request.ts';
import type { SignedPayload } from './verify-signature.ts';

/** A request with a verified signature and an unread body. */
export type S3Call = {
  request: IncomingMessage;
  response: ServerResponse;
  target: S3Target;
  payload: SignedPayload;
  store: ObjectStore;
  region: string;
};

/**
 * Handles the request.
 *
 * @throws S3Error as long as no response was started
 */
export type RunOperation = (call: S3Call) => void | Promise<void>;

export function sendXml(response: ServerResponse, status: number, document: object): void {
  const body = toXml(document);
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

export function requireBucket({ store, target }: S3Call): void {
  if (!store.hasBucket(target.bucket)) {
    throw new S3Error('NoSuchBucket', 'The specified bucket does not exist', { BucketName: target.bucket });
  }
}
