import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBackingServices } from '@interview-prep/local/backing-services';
import { keepSecrets, removeFolder } from '@interview-prep/local/data-folder';
import { REDIS_SERVICES, redisUrlOf } from '@interview-prep/local/store-accounts';
import { createSupervisor } from '@interview-prep/local/supervisor';

/** The key prefix of each test file; `?` matches any character. */
const TEST_PREFIX = 'test-????????';

/**
 * Vitest's global setup for tests that need MongoDB, Redis and S3: starts them in a temporary folder for the whole run.
 * Their settings are added to `process.env`, which test workers inherit: MONGODB_URI, REDIS_URL, S3_ENDPOINT, S3_ACCESS_KEY,
 * S3_SECRET_KEY, S3_REGION. Existing settings are kept. REDIS_URL has an account with all
 * permissions; REDIS_ACCOUNTS has the addresses with the services' accounts, as JSON.
 *
 * @returns a function that stops them
 */
export default async function startTestServices(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'interview-prep-test-'));
  const supervisor = await createSupervisor({
    logDir: join(dataDir, 'logs'),
    lockFile: join(dataDir, 'lock'),
    onEvent: (event) => {
      if (event.kind === 'died') console.error(`The ${event.name} of the tests ${event.how}: ${event.message}`);
    },
  });
  const added: string[] = [];
  const stop = async (): Promise<void> => {
    for (const name of added) delete process.env[name];
    await supervisor.stop();
    await removeFolder(dataDir);
  };
  try {
    const secrets = await keepSecrets(dataDir);
    const backing = await startBackingServices(supervisor, {
      dataDir,
      secrets,
      env: { ...process.env, REDIS_PREFIX: TEST_PREFIX },
      hasRedisAdministrator: true,
    });
    const accounts = REDIS_SERVICES.map((name) => [name, redisUrlOf(name, backing.REDIS_URL, secrets)]);
    const settings = { ...backing, REDIS_ACCOUNTS: JSON.stringify(Object.fromEntries(accounts)) };
    added.push(...Object.keys(settings).filter((name) => process.env[name] === undefined));
    Object.assign(process.env, settings);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
