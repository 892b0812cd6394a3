import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { childEnvironment } from '@interview-prep/local/child-environment';
import { REPOSITORY, readSettings } from '@interview-prep/local/settings';
import { openInstallation, runCommand } from '../backup/installation.ts';

/**
 * `npm run migrate [-- --dry-run]`: migrates each service's database, or lists pending migrations. `npm start` migrates by
 * itself. Uses MONGODB_URI, or the MongoDB of DATA_DIR. While the product is running only a dry run is possible.
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

await runCommand(async () => {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
  const { MONGODB_URI, MONGODB_PREFIX } = readSettings(process.env);
  if (MONGODB_URI) {
    process.exitCode = await migrateServices({ MONGODB_URI, MONGODB_PREFIX });
    return;
  }
  const installation = await openInstallation(process.env, { needsRedis: false, whileRunning: values['dry-run'] });
  try {
    process.exitCode = await migrateServices({ MONGODB_URI: installation.mongoUri, MONGODB_PREFIX });
  } finally {
    await installation.close();
  }
});
