import { type Migration, migrate } from '../src/mongo/migrations.ts';
import { connectMongo } from '../src/mongo/mongo.ts';
import type { TestBacking } from './backing.ts';
import { createMongoTap } from './mongo-tap.ts';

const leaseMs = 150;

/** A cut before a reading command leaves what a cut before the next of these leaves. */
const writing = [
  'insert',
  'update',
  'delete',
  'findAndModify',
  'renameCollection',
  'drop',
  'dropIndexes',
  'createIndexes',
];

/**
 * Migrates a database again and again: first cut off before its first write, then before its second, and so on, each
 * time followed by a whole run. A last run has nothing to do.
 * @param options `seed` fills the empty database; `check` looks at it after each whole run
 * @returns at how many writes it was cut off
 */
export async function interruptMigrations(
  backing: TestBacking,
  options: {
    database: string;
    migrations: readonly Migration[];
    seed: () => Promise<unknown>;
    check: () => Promise<void>;
  },
): Promise<number> {
  const { migrations, seed, check } = options;
  for (let cutAt = 0; ; cutAt += 1) {
    await backing.mongo.dropDatabase();
    await seed();
    const wasCut = await migrateUntil(cutAt, backing, options.database, migrations);
    await migrate(backing.mongo, migrations, backing.log, { leaseMs });
    await check();
    if (wasCut) continue;
    await migrate(backing.mongo, migrations, backing.log, { leaseMs });
    await check();
    return cutAt;
  }
}

/** Whether the process was cut off before it was done. */
async function migrateUntil(
  cutAt: number,
  { settings, log }: TestBacking,
  database: string,
  migrations: readonly Migration[],
): Promise<boolean> {
  const tap = await createMongoTap(settings.MONGODB_URI);
  const connection = await connectMongo({ ...settings, MONGODB_URI: tap.uri }, database, log);
  let writes = 0;
  const hold = tap.hold((command) => writing.some((name) => name in command) && writes++ === cutAt);
  const migrated = migrate(connection, migrations, log, { leaseMs });
  const wasCut = await Promise.race([hold.reached.then(() => true), migrated.then(() => false)]);
  tap.close();
  await connection.close(true);
  if (wasCut) await migrated.catch(() => {});
  return wasCut;
}
