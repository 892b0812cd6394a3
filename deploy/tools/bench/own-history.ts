import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createLogger } from '@interview-prep/kit/process/logger';
import { connectProducer } from '@interview-prep/kit/redis/redis';
import { createTestIdentity, type TestIdentity } from '@interview-prep/kit/testing/identity';
import { createTokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import { startBackingServices } from '@interview-prep/local/backing-services';
import { keepSecrets } from '@interview-prep/local/data-folder';
import { findFreePorts } from '@interview-prep/local/free-ports';
import { REPOSITORY } from '@interview-prep/local/settings';
import { createSupervisor } from '@interview-prep/local/supervisor';

const log = createLogger('bench', 'warn');

/** Backing services for separate history services, apart from the measured product. */
export interface OwnHistory {
  mongodbUri: string;
  identity: TestIdentity;
  /** Starts a history service on the database with this prefix. @returns its URL */
  startService(prefix: string): Promise<string>;
  stop(): Promise<void>;
}

async function startHistory(env: NodeJS.ProcessEnv, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(REPOSITORY, 'services/history/src/main.ts')], {
    env: { ...process.env, ...env, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: 'inherit',
  });
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return child;
    if (child.exitCode !== null) throw new Error('The history service did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Starts MongoDB, Redis and a token issuer in a separate folder. */
export async function startOwnHistory(dataDir: string): Promise<OwnHistory> {
  const supervisor = await createSupervisor({
    logDir: join(dataDir, 'logs'),
    lockFile: join(dataDir, 'lock'),
    onEvent: () => undefined,
  });
  const backing = await startBackingServices(supervisor, {
    dataDir,
    secrets: await keepSecrets(dataDir),
    env: {},
    hasRedisAdministrator: true,
  });
  const redis = await connectProducer(backing.REDIS_URL, log);
  const identity = await createTestIdentity(createTokenDenylist(redis, 'bench'));
  const keys = createServer((_req, res) =>
    res.setHeader('content-type', 'application/json').end(JSON.stringify(identity.jwks)),
  );
  keys.listen(0, '127.0.0.1');
  await once(keys, 'listening');
  const children: ChildProcess[] = [];
  return {
    mongodbUri: backing.MONGODB_URI,
    identity,
    async startService(prefix) {
      const [port = 0] = await findFreePorts(1);
      const env = {
        HOST: '127.0.0.1',
        MONGODB_URI: backing.MONGODB_URI,
        MONGODB_PREFIX: prefix,
        REDIS_URL: backing.REDIS_URL,
        REDIS_PREFIX: 'bench',
        AUTH_JWKS_URL: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`,
        MEDIA_TOKEN_SECRET: 'only for the measurement, thirty-two characters',
      };
      children.push(await startHistory(env, port));
      return `http://127.0.0.1:${port}`;
    },
    async stop() {
      for (const child of children) child.kill('SIGTERM');
      redis.disconnect();
      keys.close();
      await supervisor.stop();
    },
  };
}
