import { Client } from 'minio';
import { s3Address } from '../src/s3-address.ts';

/** Removes the buckets that a test file made on the S3 of the test run: all whose names begin like this. */
export async function removeBuckets(prefix: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const { S3_ENDPOINT = '', S3_ACCESS_KEY = '', S3_SECRET_KEY = '', S3_REGION = 'us-east-1' } = env;
  const client = new Client({
    ...s3Address(S3_ENDPOINT),
    accessKey: S3_ACCESS_KEY,
    secretKey: S3_SECRET_KEY,
    region: S3_REGION,
  });
  const made = (await client.listBuckets()).filter(({ name }) => name.startsWith(prefix));
  for (const { name } of made) {
    const objects: { name?: string }[] = await client.listObjectsV2(name, '', true).toArray();
    await client.removeObjects(
      name,
      objects.flatMap((object) => object.name ?? []),
    );
    await client.removeBucket(name);
  }
}
