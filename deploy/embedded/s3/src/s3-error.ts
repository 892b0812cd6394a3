import { XMLBuilder } from 'fast-xml-parser';

export const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: false });

/** Encodes plain objects as an XML document. A name with a leading `@` is an attribute; an array repeats its element. */
export function toXml(document: object): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(document)}`;
}

/** S3's error codes with their HTTP status (Amazon's API reference, "Error responses"), and MinIO's own. */
const STATUS = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  EntityTooLarge: 400,
  IllegalLocationConstraintException: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidBucketName: 400,
  InvalidDigest: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedXML: 400,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
  XMinioInvalidObjectName: 400,
  XMinioInvalidResourceName: 400,
} as const;

export type S3ErrorCode = keyof typeof STATUS;

/** An error for the client. It becomes S3's `<Error>` document. */
export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;
  /** Further elements of the document, for example the expected `Region`. */
  readonly details: Record<string, string>;

  constructor(code: S3ErrorCode, message: string, details: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.status = STATUS[code];
    this.details = details;
  }

  toXml(resource: string, requestId: string): string {
    return toXml({
      Error: {
        Code: this.code,
        Message: this.message,
        Resource: resource,
        RequestId: requestId,
        ...this.details,
      },
    });
  }
}
