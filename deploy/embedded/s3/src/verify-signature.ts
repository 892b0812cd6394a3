import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SignatureV4 } from '@smithy/signature-v4';
import { S3Error } from './s3-error.ts';
import type { S3Target } from './s3-request.ts';

export type Credentials = { accessKey: string; secretKey: string; region: string };

/** The signed hash of the body, SHA-256 in hex, or unsigned. */
export type SignedPayload = { sha256: string } | 'unsigned';

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SHA256_HEADER = 'x-amz-content-sha256';
const MAX_SKEW_MS = 15 * 60_000;
const MAX_EXPIRES_SECONDS = 7 * 24 * 3600;

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** The hash constructor that the signer requires, on node:crypto; with a secret it is an HMAC. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

type Claim = {
  by: 'header' | 'query';
  credential: string;
  signedHeaders: string[];
  signature: string;
  longDate: string;
  expiresSeconds: number;
};

const malformed = (by: Claim['by'], message: string, details: Record<string, string> = {}): S3Error =>
  new S3Error(by === 'header' ? 'AuthorizationHeaderMalformed' : 'AuthorizationQueryParametersError', message, details);

function headerClaim(authorization: string, longDate: string | undefined): Claim {
  if (!authorization.startsWith(`${ALGORITHM} `)) {
    throw new S3Error('InvalidRequest', `The authorization mechanism is not supported. Please use ${ALGORITHM}.`);
  }
  const fields = new Map<string, string>();
  for (const field of authorization.slice(ALGORITHM.length + 1).split(',')) {
    const [name, value] = field.trim().split('=', 2);
    if (name && value) fields.set(name, value);
  }
  const credential = fields.get('Credential');
  const signedHeaders = fields.get('SignedHeaders');
  const signature = fields.get('Signature');
  if (!credential || !signedHeaders || !signature) {
    throw malformed('header', 'The authorization header requires Credential, SignedHeaders and Signature.');
  }
  if (!longDate) throw new S3Error('AccessDenied', 'AWS authentication requires a valid x-amz-date header.');
  return { by: 'header', credential, signedHeaders: signedHeaders.split(';'), signature, longDate, expiresSeconds: 0 };
}

function queryClaim(query: S3Target['query']): Claim {
  const [credential, signedHeaders, signature, longDate, expires] = [
    'X-Amz-Credential',
    'X-Amz-SignedHeaders',
    'X-Amz-Signature',
    'X-Amz-Date',
    'X-Amz-Expires',
  ].map((name) => query.get(name));
  if (query.get('X-Amz-Algorithm') !== ALGORITHM || !credential || !signedHeaders || !signature || !longDate) {
    throw malformed(
      'query',
      'A presigned request needs the X-Amz- Algorithm, Credential, SignedHeaders and Signature.',
    );
  }
  const expiresSeconds = /^\d{1,6}$/.test(expires ?? '') ? Number(expires) : Number.NaN;
  if (!(expiresSeconds >= 1 && expiresSeconds <= MAX_EXPIRES_SECONDS)) {
    throw malformed('query', 'X-Amz-Expires must be a number of seconds between 1 and 604800.');
  }
  return { by: 'query', credential, signedHeaders: signedHeaders.split(';'), signature, longDate, expiresSeconds };
}

function parseDate(longDate: string): Date {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(longDate);
  const date = match ? new Date(longDate.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')) : null;
  if (!date || Number.isNaN(date.getTime())) throw new S3Error('AccessDenied', 'The date of the request is not valid.');
  return date;
}

function checkTime(claim: Claim, signedAt: Date): void {
  const ageMs = Date.now() - signedAt.getTime();
  if (claim.by === 'query') {
    if (ageMs > claim.expiresSeconds * 1000) throw new S3Error('AccessDenied', 'Request has expired');
    if (ageMs < -MAX_SKEW_MS) throw new S3Error('AccessDenied', 'Request is not valid yet');
  } else if (Math.abs(ageMs) > MAX_SKEW_MS) {
    throw new S3Error(
      'RequestTimeTooSkewed',
      "The difference between the request time and the server's time is too large.",
    );
  }
}

function checkScope(claim: Claim, credentials: Credentials): void {
  const parts = claim.credential.split('/');
  const [day, region, service, terminator] = parts.slice(-4);
  const accessKey = parts.slice(0, -4).join('/');
  if (accessKey === '') throw malformed(claim.by, 'The credential is not valid.');
  if (accessKey !== credentials.accessKey) {
    throw new S3Error('InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.');
  }
  if (region !== credentials.region) {
    throw malformed(claim.by, `The region '${region}' is wrong; expecting '${credentials.region}'`, {
      Region: credentials.region,
    });
  }
  if (day !== claim.longDate.slice(0, 8) || service !== 's3' || terminator !== 'aws4_request') {
    throw malformed(claim.by, 'The scope of the credential is not valid.');
  }
}

/** The signed headers. Every x-amz- header must be among them: an unsigned one could have been added in transit. */
function signedHeaders(request: IncomingMessage, claim: Claim): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of claim.signedHeaders) {
    const value = request.headersDistinct[name];
    if (value) headers[name] = value.join(',');
  }
  const unsigned = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-') && !(name in headers));
  if (!('host' in headers) || unsigned.length > 0) {
    throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed', {
      HeadersNotSigned: ['host' in headers ? [] : ['host'], unsigned].flat().join(', '),
    });
  }
  return headers;
}

function signedPayload(request: IncomingMessage, claim: Claim): SignedPayload {
  const declared = request.headers[SHA256_HEADER];
  if (declared === undefined && claim.by === 'query') return 'unsigned';
  if (declared === 'UNSIGNED-PAYLOAD') return 'unsigned';
  if (typeof declared === 'string' && /^[0-9a-f]{64}$/.test(declared)) return { sha256: declared };
  if (typeof declared === 'string' && declared.startsWith('STREAMING-')) {
    throw new S3Error('NotImplemented', `A body signed as ${declared} is not supported here.`);
  }
  throw new S3Error('InvalidRequest', `Missing or invalid required header for this request: ${SHA256_HEADER}`);
}

async function expectedSignature(
  request: IncomingMessage,
  target: S3Target,
  claim: Claim,
  signedAt: Date,
  payload: SignedPayload,
  credentials: Credentials,
): Promise<string> {
  const headers = signedHeaders(request, claim);
  const signer = new SignatureV4({
    credentials: { accessKeyId: credentials.accessKey, secretAccessKey: credentials.secretKey },
    region: credentials.region,
    service: 's3',
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const query = Object.fromEntries(target.query);
  delete query['X-Amz-Signature'];
  const payloadHash = payload === 'unsigned' ? 'UNSIGNED-PAYLOAD' : payload.sha256;
  const toSign = {
    method: request.method ?? 'GET',
    protocol: 'http:',
    hostname: '',
    path: target.rawPath,
    query,
    headers: { ...headers, [SHA256_HEADER]: payloadHash },
  };
  const signableHeaders = new Set(Object.keys(headers));
  // The payload hash is always signed, but is a signed header only if the client sent it as one.
  const unsignableHeaders = new Set(SHA256_HEADER in headers ? [] : [SHA256_HEADER]);
  if (claim.by === 'header') {
    const signed = await signer.sign(toSign, { signingDate: signedAt, signableHeaders, unsignableHeaders });
    return /Signature=([0-9a-f]+)/.exec(signed.headers.authorization ?? '')?.[1] ?? '';
  }
  const presigned = await signer.presign(toSign, {
    signingDate: signedAt,
    expiresIn: claim.expiresSeconds,
    signableHeaders,
    unsignableHeaders,
    unhoistableHeaders: new Set(Object.keys(toSign.headers)),
  });
  return String(presigned.query?.['X-Amz-Signature'] ?? '');
}

/**
 * Verifies an AWS signature version 4, in the Authorization header or in the query (presigned). There is no public access.
 *
 * @throws the S3Error that Amazon documents for the problem
 */
export async function verifySignature(
  request: IncomingMessage,
  target: S3Target,
  credentials: Credentials,
): Promise<SignedPayload> {
  const { authorization } = request.headers;
  const presigned = target.query.has('X-Amz-Signature') || target.query.has('X-Amz-Algorithm');
  if (!authorization && !presigned) throw new S3Error('AccessDenied', 'Access Denied.');
  if (authorization && presigned) {
    throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed: a header or the query, not both.');
  }
  const claim = authorization
    ? headerClaim(authorization, request.headersDistinct['x-amz-date']?.join(','))
    : queryClaim(target.query);
  checkScope(claim, credentials);
  const signedAt = parseDate(claim.longDate);
  checkTime(claim, signedAt);
  const payload = signedPayload(request, claim);
  const expected = Buffer.from(await expectedSignature(request, target, claim, signedAt, payload, credentials));
  const given = Buffer.from(claim.signature);
  if (expected.length === 0 || expected.length !== given.length || !timingSafeEqual(expected, given)) {
    throw new S3Error(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    );
  }
  return payload;
}
