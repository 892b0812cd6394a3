import { Readable } from 'node:stream';
import { StartupError } from '@interview-prep/local/settings';
import { knownSchemaVersion, type Manifest, ObjectLine, readManifest } from './manifest.ts';
import { partDamage, readLines } from './part-files.ts';

/** The number of files read concurrently. */
const concurrency = 8;

/** The objects of a backup whose list has been checked. */
export async function* readObjectLines(folder: string, { objects }: Manifest): AsyncGenerator<ObjectLine> {
  for await (const line of readLines(folder, objects.path)) yield ObjectLine.parse(JSON.parse(line));
}

/**
 * Verifies a backup by reading every byte.
 * @throws StartupError if it is damaged, or from a newer release
 */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const [service, version] of Object.entries(manifest.schemaVersions)) {
    const known = await knownSchemaVersion(service);
    if (version > known) {
      throw new StartupError(
        `A newer release (${manifest.version}) wrote this backup: its ${service} database is at version ${version}, and this release knows versions up to ${known}. Restore it with that release.`,
      );
    }
  }
  const refuse = (damage: string | null) => {
    if (damage !== null) throw new StartupError(`The backup is damaged: ${damage}. Nothing was restored.`);
  };
  for (const part of [...manifest.collections, manifest.objects]) refuse(await partDamage(folder, part));
  // Streams can't carry null.
  const checked: AsyncIterable<{ damage: string | null }> = Readable.from(readObjectLines(folder, manifest)).map(
    async ({ part }: ObjectLine) => ({ damage: part && (await partDamage(folder, part)) }),
    { concurrency },
  );
  for await (const { damage } of checked) refuse(damage);
  return manifest;
}
