import { randomUUID } from 'node:crypto';
import { Client } from 'minio';
import { expect, test } from 'vitest';
import { removeBuckets } from '../testing/remove-buckets.ts';

test("a test file leaves no bucket on the test run's S3, and removes no others", async () => {
  const { S3_ENDPOINT = '', S3_ACCESS_KEY = '', S3_SECRET_KEY = '', S3_REGION: region = 'us-east-1' } = process.env;
  const { hostname: endPoint, port } = new URL(S3_ENDPOINT);
  const keys = { accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY };
  const client = new Client({ endPoint, port: Number(port), useSSL: false, region, ...keys });
  const [mine, other] = [`test-${randomUUID()}`, `other-${randomUUID()}`];
  for (const name of [mine, `${mine}-2`, other]) await client.makeBucket(name, region);
  await client.putObject(mine, 'recordings/a.webm', 'x');
  await removeBuckets(mine);
  const left = (await client.listBuckets()).map(({ name }) => name);
  expect(left.filter((name) => name.startsWith(mine))).toEqual([]);
  expect(left).toContain(other);
  await removeBuckets(other);
});
