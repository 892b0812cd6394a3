import { createHash } from 'node:crypto';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { BUCKET, clientFor, startS3 } from './start.ts';

let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  s3 = await startS3();
  await s3.client.putObject(BUCKET, 'kept', 'as it was');
});
afterAll(() => s3.stop());
afterEach(() => vi.useRealTimers());

const code = async (response: Response): Promise<string> =>
  `${response.status} ${/<Code>(\w+)<\/Code>/.exec(await response.text())?.[1]}`;

/** Signs as of another time; only the clock is moved, so that requests still run. */
async function at<T>(offsetMs: number, sign: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offsetMs });
  const signed = await sign();
  vi.useRealTimers();
  return signed;
}

describe('signed headers', () => {
  test.each([
    ['a wrong secret', { secretKey: 'guessed' }, 'SignatureDoesNotMatch'],
    ['an unknown key', { accessKey: 'somebody' }, 'InvalidAccessKeyId'],
    ['another region', { region: 'us-west-2' }, 'AuthorizationHeaderMalformed'],
  ])('%s is rejected, for reads and writes', async (_what, different, expected) => {
    const stranger = clientFor(s3.port, different);
    await expect(stranger.getObject(BUCKET, 'kept')).rejects.toMatchObject({ code: expected });
    await expect(stranger.putObject(BUCKET, 'kept', 'changed')).rejects.toMatchObject({ code: expected });
    await expect(stranger.removeObject(BUCKET, 'kept')).rejects.toThrow();
    expect(await text(await s3.client.getObject(BUCKET, 'kept'))).toBe('as it was');
  });

  test('a request without a signature is rejected', async () => {
    expect(await code(await fetch(`${s3.endpoint}/${BUCKET}/kept`))).toBe('403 AccessDenied');
    expect(await code(await fetch(`${s3.endpoint}/${BUCKET}/kept`, { method: 'PUT', body: 'x' }))).toBe(
      '403 AccessDenied',
    );
  });

  test.each(['AWS4-HMAC-SHA256 Credential=x', 'AWS4-HMAC-SHA256 ', 'Basic eDp5'])('%s is malformed', async (header) => {
    const response = await fetch(`${s3.endpoint}/${BUCKET}/kept`, { headers: { authorization: header } });
    expect(response.status).toBe(400);
  });

  test.each([20, -20])('a clock that is %i minutes off is rejected with that reason', async (minutes) => {
    // The client signs by its own clock, and is back in the server's time when it sends.
    const request = ((...parameters: Parameters<typeof http.request>) => {
      vi.useRealTimers();
      return http.request(...parameters);
    }) as typeof http.request;
    const late = clientFor(s3.port, { transport: { request } });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
    await expect(late.putObject(BUCKET, 'skewed', 'x')).rejects.toMatchObject({ code: 'RequestTimeTooSkewed' });
  });
});

describe('presigned URLs', () => {
  test('work for put and get, with the requested response headers', async () => {
    const put = await s3.client.presignedPutObject(BUCKET, 'presigned key/ü', 60);
    const content = 'by fetch';
    expect((await fetch(put, { method: 'PUT', body: content, headers: { 'content-type': 'video/mp4' } })).status).toBe(
      200,
    );
    const get = await s3.client.presignedGetObject(BUCKET, 'presigned key/ü', 60, {
      'response-content-disposition': 'attachment; filename="a b.mp4"',
    });
    const response = await fetch(get);
    expect(await response.text()).toBe(content);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a b.mp4"');
    expect(response.headers.get('etag')).toBe(`"${createHash('md5').update(content).digest('hex')}"`);
  });

  test('are valid for one key, one method and one query only', async () => {
    const url = await s3.client.presignedGetObject(BUCKET, 'kept', 60);
    const refused = '403 SignatureDoesNotMatch';
    expect(await code(await fetch(url.replace('/kept', '/kept2')))).toBe(refused);
    expect(await code(await fetch(url, { method: 'PUT', body: 'changed' }))).toBe(refused);
    expect(await code(await fetch(url, { method: 'DELETE' }))).toBe(refused);
    expect(await code(await fetch(`${url}&response-content-type=text/html`))).toBe(refused);
    expect(await code(await fetch(url.replace(/Expires=60/, 'Expires=600')))).toBe(refused);
    const flipped = url.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(await code(await fetch(flipped))).toBe(refused);
    expect(await code(await fetch(url.replace(/Signature=.*/, 'Signature=')))).toBe(
      '400 AuthorizationQueryParametersError',
    );
    expect(await (await fetch(url)).text()).toBe('as it was');
  });

  test('reject unsigned headers', async () => {
    const put = await s3.client.presignedPutObject(BUCKET, 'unsigned-header', 60);
    const response = await fetch(put, { method: 'PUT', body: 'x', headers: { 'x-amz-meta-owner': 'somebody' } });
    expect(await code(response)).toBe('403 AccessDenied');
  });

  test('expire, and are not valid before their time', async () => {
    const expired = await at(-61_000, () => s3.client.presignedGetObject(BUCKET, 'kept', 60));
    expect(await code(await fetch(expired))).toBe('403 AccessDenied');
    const early = await at(20 * 60_000, () => s3.client.presignedGetObject(BUCKET, 'kept', 60));
    expect(await code(await fetch(early))).toBe('403 AccessDenied');
    const forever = (await s3.client.presignedGetObject(BUCKET, 'kept', 60)).replace('Expires=60', 'Expires=604801');
    expect(await code(await fetch(forever))).toBe('400 AuthorizationQueryParametersError');
  });
});

describe('unsupported requests are rejected', () => {
  const NOT_IMPLEMENTED = { code: 'NotImplemented' };
  test('operations', async () => {
    await expect(s3.client.getObjectTagging(BUCKET, 'kept')).rejects.toMatchObject(NOT_IMPLEMENTED);
    await expect(s3.client.getBucketVersioning(BUCKET)).rejects.toMatchObject(NOT_IMPLEMENTED);
    await expect(s3.client.initiateNewMultipartUpload(BUCKET, 'big', {})).rejects.toMatchObject(NOT_IMPLEMENTED);
    await expect(s3.client.listObjects(BUCKET, '', true).toArray()).rejects.toMatchObject(NOT_IMPLEMENTED);
  });

  test('headers that would change the meaning', async () => {
    await expect(s3.client.putObject(BUCKET, 'locked', 'x', 1, { 'x-amz-acl': 'public-read' })).rejects.toMatchObject(
      NOT_IMPLEMENTED,
    );
    const url = await s3.client.presignedGetObject(BUCKET, 'kept');
    expect(await code(await fetch(url, { headers: { 'if-none-match': '"x"' } }))).toBe('501 NotImplemented');
  });
});
