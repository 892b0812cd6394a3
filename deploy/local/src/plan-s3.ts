import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackingOptions, type BackingPlan, chooseServer, embeddedServer, LOOPBACK } from './backing-plan.ts';
import { childEnvironment } from './child-environment.ts';
import { answersHttp } from './readiness.ts';
import { StartupError } from './startup-error.ts';

/**
 * S3: at S3_ENDPOINT, else `minio`, else the embedded one.
 * @throws StartupError where S3_ENDPOINT comes without its keys
 */
export async function planS3({ dataDir, secrets, env, ports }: BackingOptions): Promise<BackingPlan> {
  const region = env.S3_REGION || 'us-east-1';
  if (env.S3_ENDPOINT) {
    const { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY } = env;
    if (!S3_ACCESS_KEY || !S3_SECRET_KEY) {
      throw new StartupError('S3_ENDPOINT is set: set S3_ACCESS_KEY and S3_SECRET_KEY with it.');
    }
    return { settings: { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION: region } };
  }
  const endpoint = `http://${LOOPBACK}:${ports.s3}`;
  const keys = { S3_ACCESS_KEY: secrets.s3AccessKey, S3_SECRET_KEY: secrets.s3SecretKey, S3_REGION: region };
  const settings = { S3_ENDPOINT: endpoint, ...keys };
  const [ownFolder, serverFolder] = [join(dataDir, 's3'), join(dataDir, 'minio')];
  const minio = chooseServer({ name: 'minio', ownFolder, serverFolder, given: 'S3_ENDPOINT and its keys to an S3' });
  await mkdir(minio ? serverFolder : ownFolder, { recursive: true });
  if (minio) {
    return {
      settings,
      process: {
        name: 's3',
        title: `S3 (${minio})`,
        command: minio,
        args: ['server', serverFolder, '--address', `${LOOPBACK}:${ports.s3}`, '--quiet'],
        env: childEnvironment({
          MINIO_ROOT_USER: secrets.s3AccessKey,
          MINIO_ROOT_PASSWORD: secrets.s3SecretKey,
          MINIO_REGION: region,
          MINIO_BROWSER: 'off',
        }),
        isReady: () => answersHttp(`${endpoint}/minio/health/ready`),
        isAnswering: () => answersHttp(`${endpoint}/minio/health/live`, true),
      },
    };
  }
  return {
    settings,
    process: {
      name: 's3',
      title: 'S3, embedded',
      command: process.execPath,
      args: [embeddedServer('s3'), '--port', String(ports.s3), '--host', LOOPBACK, '--data', ownFolder],
      env: childEnvironment(keys),
      isReady: () => answersHttp(`${endpoint}/`, true),
      isAnswering: () => answersHttp(`${endpoint}/`, true),
    },
  };
}
