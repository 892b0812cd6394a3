import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUCKET, CREDENTIALS, startS3 } from './start.ts';

let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

const md5 = (content: Buffer | string): string => createHash('md5').update(content).digest('hex');

describe('buckets', () => {
  test('exist only once they are created', async () => {
    expect(await s3.client.bucketExists(BUCKET)).toBe(true);
    expect(await s3.client.bucketExists('another')).toBe(false);
  });

  test('are reported as already owned when created twice', async () => {
    await expect(s3.client.makeBucket(BUCKET, CREDENTIALS.region)).rejects.toMatchObject({
      code: 'BucketAlreadyOwnedByYou',
    });
  });

  test('are listed, and removed once they are empty', async () => {
    const names = async () => (await s3.client.listBuckets()).map(({ name }) => name);
    await s3.client.makeBucket('removed', CREDENTIALS.region);
    await s3.client.putObject('removed', 'folder/kept', 'x');
    expect(await s3.client.listBuckets()).toContainEqual({ name: 'removed', creationDate: expect.any(Date) });
    expect(await names()).toEqual((await names()).toSorted());
    await expect(s3.client.removeBucket('removed')).rejects.toMatchObject({ code: 'BucketNotEmpty' });
    await s3.client.removeObject('removed', 'folder/kept');
    await s3.client.removeBucket('removed');
    expect(await names()).not.toContain('removed');
    expect(await s3.client.bucketExists('removed')).toBe(false);
    await expect(s3.client.removeBucket('removed')).rejects.toMatchObject({ code: 'NoSuchBucket' });
  });

  test('accept no more data once they are removed during an upload', async () => {
    await s3.client.makeBucket('going', CREDENTIALS.region);
    const url = await s3.client.presignedPutObject('going', 'late', 60);
    const putting = request(url, { method: 'PUT', headers: { 'content-length': 2 } });
    const answered = once(putting, 'response');
    putting.write('a');
    await expect.poll(() => readdir(join(s3.dataDir, 'incoming'))).toHaveLength(1);
    await s3.client.removeBucket('going');
    putting.end('b');
    const [response] = await answered;
    expect(await text(response)).toContain('<Code>NoSuchBucket</Code>');
  });

  test('reject objects if they do not exist', async () => {
    await expect(s3.client.putObject('missing', 'a', 'text')).rejects.toMatchObject({ code: 'NoSuchBucket' });
    await expect(s3.client.getObject('missing', 'a')).rejects.toMatchObject({ code: 'NoSuchBucket' });
  });
});

describe('an object', () => {
  test('comes back byte for byte, with its type, its metadata and its ETag', async () => {
    const content = randomBytes(3_000_000);
    const { etag } = await s3.client.putObject(BUCKET, 'whole', Readable.from(content), content.length, {
      'Content-Type': 'audio/webm; codecs=opus',
      'Session-Id': 'abc',
    });
    expect(etag).toBe(md5(content));
    expect(await buffer(await s3.client.getObject(BUCKET, 'whole'))).toEqual(content);
    expect(await s3.client.statObject(BUCKET, 'whole')).toMatchObject({
      size: content.length,
      etag,
      metaData: { 'content-type': 'audio/webm; codecs=opus', 'session-id': 'abc' },
    });
  });

  test('may be empty', async () => {
    await s3.client.putObject(BUCKET, 'empty', '');
    expect((await s3.client.statObject(BUCKET, 'empty')).size).toBe(0);
    expect(await text(await s3.client.getObject(BUCKET, 'empty'))).toBe('');
  });

  test('is replaced atomically, and readers of the old one can finish', async () => {
    const before = randomBytes(4_000_000);
    await s3.client.putObject(BUCKET, 'replaced', before);
    const reading = await s3.client.getObject(BUCKET, 'replaced');
    await s3.client.putObject(BUCKET, 'replaced', 'after');
    expect(await buffer(reading)).toEqual(before);
    expect(await text(await s3.client.getObject(BUCKET, 'replaced'))).toBe('after');
  });

  test('returns NoSuchKey if it is missing or was removed; removing it again is not an error', async () => {
    await s3.client.putObject(BUCKET, 'removed', 'x');
    await s3.client.removeObject(BUCKET, 'removed');
    await s3.client.removeObject(BUCKET, 'removed');
    await expect(s3.client.getObject(BUCKET, 'removed')).rejects.toMatchObject({ code: 'NoSuchKey' });
    await expect(s3.client.statObject(BUCKET, 'removed')).rejects.toMatchObject({ code: 'NotFound' });
  });

  test('is one of ten concurrent puts, and leaves one file', async () => {
    const contents = Array.from({ length: 10 }, () => randomBytes(200_000));
    const before = (await readdir(`${s3.dataDir}/blobs`, { recursive: true, withFileTypes: true })).filter((f) =>
      f.isFile(),
    );
    await Promise.all(contents.map((content) => s3.client.putObject(BUCKET, 'contended', content)));
    const read = await buffer(await s3.client.getObject(BUCKET, 'contended'));
    expect(contents.some((content) => content.equals(read))).toBe(true);
    const after = (await readdir(`${s3.dataDir}/blobs`, { recursive: true, withFileTypes: true })).filter((f) =>
      f.isFile(),
    );
    expect(after.length - before.length).toBe(1);
  });
});

describe('keys', () => {
  const KEYS = [
    'with spaces and + plus.webm',
    'ünïcödé/日本語/🎙.webm',
    'a/...b/.c/d..',
    'ends/with/slash/',
    'quotes\'"<&>%2F%00?#=;',
    'CON',
    `${'x'.repeat(255)}/`.repeat(4),
  ];
  test.each(KEYS)('%j is stored and listed under its own name', async (key) => {
    await s3.client.putObject(BUCKET, key, `content of ${key}`);
    expect(await text(await s3.client.getObject(BUCKET, key))).toBe(`content of ${key}`);
    const listed = await s3.client.listObjectsV2(BUCKET, key, true).toArray();
    expect(listed.map(({ name }) => name)).toContain(key);
  });

  test('are never used as file names', async () => {
    const names = await readdir(s3.dataDir, { recursive: true });
    expect(names.filter((name) => /etc|passwd|CON|webm/.test(name))).toEqual([]);
  });

  test.each([
    ['..', 'XMinioInvalidResourceName'],
    ['../../../etc/passwd', 'XMinioInvalidResourceName'],
    ['a/../b', 'XMinioInvalidResourceName'],
    ['a/ .. /b', 'XMinioInvalidResourceName'],
    ['.', 'XMinioInvalidResourceName'],
    ['a/./b', 'XMinioInvalidResourceName'],
    ['a//b', 'XMinioInvalidObjectName'],
    ['x'.repeat(256), 'XMinioInvalidObjectName'],
    [`${'ü'.repeat(100)}/`.repeat(6), 'KeyTooLongError'],
    ['a\u0000b', 'InvalidArgument'],
  ])('%j is rejected, as by MinIO: %s', async (key, code) => {
    await expect(s3.client.putObject(BUCKET, key, 'x')).rejects.toMatchObject({ code });
    await expect(s3.client.getObject(BUCKET, key)).rejects.toMatchObject({ code });
  });

  test('lose a leading slash, as in MinIO', async () => {
    await s3.client.putObject(BUCKET, '//leading//doubled', 'content');
    expect(await text(await s3.client.getObject(BUCKET, 'leading/doubled'))).toBe('content');
    expect(await text(await s3.client.getObject(BUCKET, '/leading/doubled'))).toBe('content');
    const listed = await s3.client.listObjectsV2(BUCKET, 'leading', true).toArray();
    expect(listed.map(({ name }) => name)).toEqual(['leading/doubled']);
  });
});

describe('ranges', () => {
  const CONTENT = Buffer.from('0123456789');
  beforeAll(() => s3.client.putObject(BUCKET, 'ten', CONTENT));
  const getRange = async (range: string) =>
    fetch(await s3.client.presignedGetObject(BUCKET, 'ten'), { headers: { range } });

  test.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
  ])('%s', async (range, body, contentRange) => {
    const response = await getRange(range);
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(body.length));
    expect(await response.text()).toBe(body);
  });

  test.each(['bytes=10-', 'bytes=-0', 'bytes=99-100', 'bytes=5-2'])('%s is not satisfiable', async (range) => {
    const response = await getRange(range);
    expect(response.status).toBe(416);
    expect(await response.text()).toContain('<Code>InvalidRange</Code>');
  });

  test.each(['lines=1-2', 'bytes=0-1,3-4', 'bytes=-'])('%s returns the whole object', async (range) => {
    const response = await getRange(range);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('0123456789');
  });

  test('the client reads a range', async () => {
    expect(await text(await s3.client.getPartialObject(BUCKET, 'ten', 3, 4))).toBe('3456');
  });
});
