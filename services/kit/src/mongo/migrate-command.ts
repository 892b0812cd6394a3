import { parseArgs } from 'node:util';
import { parseSettings, refuseSettings, UnusableSetting } from '../process/config.ts';
import { createLogger } from '../process/logger.ts';
import { DatabaseTooNew, type Migration, migrate, planMigrations, RestoreUnfinished } from './migrations.ts';
import { connectMongo } from './mongo.ts';

/**
 * A service's command `migrate [--dry-run]`: lists the pending migrations, and runs them unless it is a dry run.
 * Exits with status 1 if the database belongs to a newer release.
 * @param database the service's own database, as in `connectMongo`
 */
export async function runMigrateCommand(database: string, migrations: readonly Migration[]): Promise<void> {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
  const settings = parseSettings(['MONGODB_URI', 'MONGODB_PREFIX']);
  const log = createLogger(database, 'warn');
  const connection = await connectMongo(settings, database, log).catch((error: unknown) => {
    if (error instanceof UnusableSetting) refuseSettings([`${error.setting}: ${error.message}`]);
    throw error;
  });
  try {
    const { version, pending } = await planMigrations(connection, migrations);
    const verb = values['dry-run'] ? 'would run' : 'running';
    const steps = pending.map((name) => `\n  ${verb} ${name}`).join('');
    process.stdout.write(`${database}: version ${version}${steps || ', nothing to migrate'}\n`);
    if (!values['dry-run']) await migrate(connection, migrations, log);
  } catch (error) {
    if (!(error instanceof DatabaseTooNew || error instanceof RestoreUnfinished)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await connection.close();
  }
}
