import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '@interview-prep/local/settings';

/** The number that a migration's name begins with. */
const numberOf = (name: string): number => Number.parseInt(name, 10) || 0;

/** The version of a database: the number of its newest migration. */
export function schemaVersionOf(migrations: readonly string[]): number {
  return Math.max(0, ...migrations.map(numberOf));
}

/** The newest version of a service's database that this release knows. */
export async function knownSchemaVersion(service: string): Promise<number> {
  return schemaVersionOf(await readdir(join(REPOSITORY, 'services', service, 'src/migrations')));
}
