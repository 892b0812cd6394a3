import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUCKET, CREDENTIALS, startS3 } from './start.ts';

let s3: Awaited<ReturnType<typeof startS3>>;
/** Pages and batches have a thousand keys. */
const COUNT = 1100;
const KEYS = Array.from({ length: COUNT }, (_, index) => `recordings/${String(index).padStart(5, '0')}/answer.webm`);

beforeAll(async () => {
  s3 = await startS3();
  for (let start = 0; start < COUNT; start += 100) {
    await Promise.all(KEYS.slice(start, start + 100).map((key) => s3.client.putObject(BUCKET, key, key)));
  }
}, 180_000);
afterAll(() => s3.stop());

test('1,100 keys are listed in pages, each once, in order', async () => {
  const listed = await s3.client.listObjectsV2(BUCKET, '', true).toArray();
  expect(listed.map(({ name }) => name)).toEqual(KEYS);
  expect(listed[7]).toMatchObject({ size: KEYS[7]?.length, lastModified: expect.any(Date) });
});

test('a prefix and a start key limit the listing', async () => {
  const byPrefix = await s3.client.listObjectsV2(BUCKET, 'recordings/0012', true).toArray();
  expect(byPrefix.map(({ name }) => name)).toEqual(KEYS.slice(120, 130));
  const after = await s3.client.listObjectsV2(BUCKET, '', true, KEYS[997]).toArray();
  expect(after.map(({ name }) => name)).toEqual(KEYS.slice(998));
  expect(await s3.client.listObjectsV2(BUCKET, 'none/', true).toArray()).toEqual([]);
});

test('folders are listed once each, across all pages', async () => {
  expect(await s3.client.listObjectsV2(BUCKET, '', false).toArray()).toMatchObject([{ prefix: 'recordings/' }]);
  const folders = await s3.client.listObjectsV2(BUCKET, 'recordings/', false).toArray();
  expect(folders.map(({ prefix }) => prefix)).toEqual(KEYS.map((key) => key.replace('answer.webm', '')));
});

test('keys are in byte order', async () => {
  await s3.client.makeBucket('ordered', CREDENTIALS.region);
  const keys = ['Z', 'a', 'a b', 'a/b', 'a/c', 'a0', 'ab', 'é', '\u{fffd}', '\u{1f399}'];
  for (const key of keys.toReversed()) await s3.client.putObject('ordered', key, '');
  const listed = await s3.client.listObjectsV2('ordered', '', true).toArray();
  expect(listed.map(({ name }) => name)).toEqual(keys);
  const shallow = await s3.client.listObjectsV2('ordered', '', false).toArray();
  const names = shallow.map((item) => item.name ?? item.prefix);
  expect(names.toSorted()).toEqual(['Z', 'a', 'a b', 'a/', 'a0', 'ab', 'é', '\u{fffd}', '\u{1f399}'].toSorted());
});

test('one call deletes many keys, including missing ones', async () => {
  await s3.client.makeBucket('emptied', CREDENTIALS.region);
  const keys = ['plain', 'sp ace', 'a&b<c>"\'', 'ünï/..x', ' padded ', '007'];
  for (const key of keys) await s3.client.putObject('emptied', key, 'x');
  await s3.client.putObject('emptied', 'kept', 'x');
  await s3.client.removeObjects('emptied', [...keys, 'never there']);
  expect((await s3.client.listObjectsV2('emptied', '', true).toArray()).map(({ name }) => name)).toEqual(['kept']);
});

test('1,050 are deleted in batches', async () => {
  await s3.client.removeObjects(BUCKET, KEYS.slice(0, 1050));
  const left = await s3.client.listObjectsV2(BUCKET, '', true).toArray();
  expect(left.map(({ name }) => name)).toEqual(KEYS.slice(1050));
});
