import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { planMongo } from '@interview-prep/local/backing-services';
import { childEnvironment } from '@interview-prep/local/child-environment';
import { keepSecrets, prepareDataFolder } from '@interview-prep/local/data-folder';
import { findFreePorts } from '@interview-prep/local/free-ports';
import { REPOSITORY, readSettings, withSettingFiles } from '@interview-prep/local/settings';
import { StartupError } from '@interview-prep/local/startup-error';
import { createSupervisor } from '@interview-prep/local/supervisor';

/**
 * `npm run migrate [-- --dry-run]`: migrates each service's database, or says what would run. `npm start` does the same by
 * itself. Uses MONGODB_URI, or starts the MongoDB of DATA_DIR, which no running product may be using.
 */
const SERVICES = ['auth', 'catalog', 'recording', 'history'];

/** @returns the exit status of the first service that failed, else 0 */
async function migrateServices(environment: Record<string, string | undefined>): Promise<number> {
  for (const service of SERVICES) {
    const script = join(REPOSITORY, 'services', service, 'src/migrate.ts');
    const child = spawn(process.execPath, [script, ...process.argv.slice(2)], {
      env: childEnvironment(environment),
      stdio: 'inherit',
    });
    const [status] = (await once(child, 'exit')) as [number | null];
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

async function migrateDataFolder(dataDir: string): Promise<number> {
  await prepareDataFolder(dataDir);
  const supervisor = await createSupervisor({
    logDir: join(dataDir, 'logs'),
    lockFile: join(dataDir, 'lock'),
    onEvent: () => {},
  });
  try {
    const [mongo = 0, redis = 0, s3 = 0] = await findFreePorts(3);
    const secrets = await keepSecrets(dataDir);
    const plan = await planMongo({ dataDir, secrets, env: {}, ports: { mongo, redis, s3 } });
    if (plan.process) await supervisor.start('backing', plan.process);
    return await migrateServices({ ...plan.settings, MONGODB_PREFIX: process.env.MONGODB_PREFIX });
  } finally {
    await supervisor.stop();
  }
}

try {
  const { MONGODB_URI, DATA_DIR } = readSettings(withSettingFiles(process.env));
  process.exitCode = MONGODB_URI
    ? await migrateServices({ MONGODB_URI, MONGODB_PREFIX: process.env.MONGODB_PREFIX })
    : await migrateDataFolder(DATA_DIR);
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
