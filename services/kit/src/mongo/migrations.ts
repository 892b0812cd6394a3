import { parseArgs } from 'node:util';
import type { Connection, mongo } from 'mongoose';
import type { Umzug } from 'umzug';
import { parseSettings, refuseSettings, UnusableSetting } from '../process/config.ts';
import { createLogger, type Logger } from '../process/logger.ts';
import { acquireMigrationLock, type MigrationLockOptions } from './migration-lock.ts';
import { connectMongo } from './mongo.ts';

/** A service's own database in MongoDB's driver: migrations see documents as stored, without the models' defaults and casts. */
export type Database = mongo.Db;

/**
 * A step from one database version to the next. A process may be killed halfway, and another may take over while the first
 * still writes: `up` must be idempotent, even if it runs twice at the same time.
 */
export interface Migration {
  /** Four digits and a description: `0001-rename-claims`. The digits are the database's version after it has run. */
  name: string;
  up(database: Database): Promise<void>;
}

/** The database was written by a newer release. */
export class DatabaseTooNew extends Error {
  override name = 'DatabaseTooNew';
}

/** A marker that a restore stores among the names of migrations, and removes when it has finished. */
export const unfinishedRestore = 'unfinished-restore';

/** A restore was interrupted: the database holds only part of a backup. */
export class RestoreUnfinished extends Error {
  override name = 'RestoreUnfinished';
}

/** The version of a database, 0 before any migration, and its pending migrations in order. */
interface MigrationPlan {
  version: number;
  pending: readonly string[];
}

interface MigrationRecord {
  /** The migration's name. */
  _id: string;
  ranAt: Date;
}

/**
 * Brings a service's database to the version that this release needs. Call it before anything else touches the database.
 * Several processes may call it at once: one migrates, the others wait for it.
 * @param migrations all migrations of all releases, ordered by name
 * @throws DatabaseTooNew if a newer release has run migrations that are unknown to this one; RestoreUnfinished; any error of a
 * migration
 */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  log: Logger,
  options: MigrationLockOptions = {},
): Promise<void> {
  const database = databaseOf(connection);
  const { pending } = await planMigrations(connection, migrations);
  if (pending.length === 0) return;

  const lock = await acquireMigrationLock(database, log, options);
  try {
    // Check again: the previous holder of the lock may have run some of them, or may be a newer release.
    await planMigrations(connection, migrations);
    const run = async ({ name, up }: Migration) => {
      lock.assertHeld();
      const startedAt = performance.now();
      await up(database);
      log.info({ migration: name, tookMs: Math.round(performance.now() - startedAt) }, 'ran a migration');
    };
    const umzug = await createUmzug(database, migrations, run);
    await umzug.up();
  } finally {
    await lock.release();
  }
}

/**
 * Plans a `migrate` without changing anything.
 * @throws DatabaseTooNew, RestoreUnfinished as `migrate` does
 */
export async function planMigrations(connection: Connection, migrations: readonly Migration[]): Promise<MigrationPlan> {
  const database = databaseOf(connection);
  // Read everything at once: another process may be migrating the database right now.
  const executed = (await recordsOf(database).find().toArray()).map(({ _id }) => _id);
  if (executed.includes(unfinishedRestore)) {
    throw new RestoreUnfinished(
      `The database ${database.databaseName} holds a part of a backup, since a restore has not ended. Run the restore again.`,
    );
  }
  const known = migrations.map(({ name }) => name);
  if (executed.some((name) => !known.includes(name))) {
    throw new DatabaseTooNew(
      `The database ${database.databaseName} is at version ${latestVersion(executed)}, but this release knows versions up to ${latestVersion(known)}. Start the newer release again, or restore a backup from before the upgrade.`,
    );
  }
  const pending = known.filter((name) => !executed.includes(name));
  return { version: latestVersion(executed), pending };
}

async function createUmzug(
  database: Database,
  migrations: readonly Migration[],
  run: (migration: Migration) => Promise<void>,
): Promise<Umzug> {
  // Load it only if there are migrations to run: it takes 6 MB of memory.
  const { Umzug } = await import('umzug');
  return new Umzug({
    migrations: migrations.map((migration) => ({ name: migration.name, up: () => run(migration) })),
    logger: undefined,
    storage: {
      async logMigration({ name }) {
        await recordsOf(database).updateOne({ _id: name }, { $set: { ranAt: new Date() } }, { upsert: true });
      },
      async unlogMigration({ name }) {
        await recordsOf(database).deleteOne({ _id: name });
      },
      async executed() {
        const records = await recordsOf(database).find().sort({ _id: 1 }).toArray();
        return records.map(({ _id }) => _id);
      },
    },
  });
}

const recordsOf = (database: Database) => database.collection<MigrationRecord>('migrations');

const latestVersion = (names: readonly string[]): number =>
  Math.max(0, ...names.map((name) => Number.parseInt(name, 10)));

function databaseOf({ db }: Connection): Database {
  if (!db) throw new Error('MongoDB is not connected');
  return db;
}

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
