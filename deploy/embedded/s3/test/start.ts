import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions } from 'minio';
import { startEmbeddedS3 } from '../src/embedded-s3.ts';

export const CREDENTIALS = { accessKey: 'the-access-key', secretKey: 'the secret/key+1', region: 'eu-central-1' };
export const BUCKET = 'recordings';

/** A minio client configured like the product's; `different` overrides settings, for example with a wrong key. */
export function clientFor(port: number, different: Partial<ClientOptions> = {}): Client {
  return new Client({ endPoint: '127.0.0.1', port, useSSL: false, ...CREDENTIALS, ...different });
}

/** A server over a fresh folder with one bucket, and a client for it. */
export async function startS3() {
  const dataDir = await mkdtemp(join(tmpdir(), 'embedded-s3-'));
  const server = await startEmbeddedS3({ port: 0, host: '127.0.0.1', dataDir, ...CREDENTIALS });
  const client = clientFor(server.port);
  await client.makeBucket(BUCKET, CREDENTIALS.region);
  const stop = async (): Promise<void> => {
    await server.close();
    await rm(dataDir, { recursive: true });
  };
  return { ...server, dataDir, client, stop };
}
