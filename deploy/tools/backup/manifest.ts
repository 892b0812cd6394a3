import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY, StartupError } from '@interview-prep/local/settings';
import { z } from 'zod';

/** The version of the folder's layout. Increase it if older releases can't restore the new one. */
export const formatVersion = 2;

/** A path inside the folder, without traversal. */
const path = z.string().regex(/^(?!.*(?:^|\/)\.\.?(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
const databaseName = z.enum(['auth', 'catalog', 'recording', 'audit']);

/** One file of the folder. */
export const Part = z.object({ path, sizeBytes: count, sha256 });
export type Part = z.infer<typeof Part>;

/** The documents of one collection as concatenated BSON, gzipped, in the format of `mongodump --gzip`. */
const CollectionPart = Part.extend({ database: databaseName, collection: z.string(), documents: count });
export type CollectionPart = z.infer<typeof CollectionPart>;

/** One line of the list of objects. `part` is null for an object that was missing in the installation already. */
export const ObjectLine = z.object({ key: path, mediaType: z.string(), part: Part.nullable() });
export type ObjectLine = z.infer<typeof ObjectLine>;

const Contents = z.object({
  formatVersion: z.number().int(),
  /** The release that made the backup. */
  version: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** The number of the newest migration of each database. */
  schemaVersions: z.record(databaseName.exclude(['audit']), count),
  collections: z.array(CollectionPart),
  /** Position and hash of the latest audit log entry, see `markOf`. */
  auditMark: z.string().optional(),
  /** The list of objects: gzipped, one `ObjectLine` per line. */
  objects: Part.extend({ count, sizeBytesInAll: count, missing: z.array(z.string()) }),
  /** The seed of `npm start`, and the demonstration users' password. */
  dataFolder: z.object({ seed: z.string().optional(), demoPassword: z.string().optional() }),
});

/** The contents of `manifest.json`. */
export type Manifest = z.infer<typeof Contents>;

const fileName = 'manifest.json';
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Writes the manifest, which completes the backup. It ends with its own SHA-256. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const whole = { ...manifest, sha256: hash(JSON.stringify(manifest)) };
  await writeFile(join(folder, fileName), `${JSON.stringify(whole, undefined, 2)}\n`, { flush: true });
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the manifest of a backup.
 * @throws StartupError if the folder is not a backup, the manifest is damaged, or a newer release wrote it
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, fileName), 'utf8').catch((error: Error) => {
    throw new StartupError(`${folder} is not a backup: its ${fileName} cannot be read (${error.message}).`);
  });
  const { sha256: written, ...contents } = parseJson(text) ?? {};
  if (typeof contents.formatVersion === 'number' && contents.formatVersion > formatVersion) {
    throw new StartupError(
      `A newer release (${String(contents.version)}) wrote this backup: restore it with that release.`,
    );
  }
  const parsed = Contents.safeParse(contents);
  if (!parsed.success || hash(JSON.stringify(contents)) !== written) {
    throw new StartupError(`The backup is damaged: its ${fileName} is not as it was written.`);
  }
  return parsed.data;
}

const number = new Intl.NumberFormat('en');

/** A summary of a backup, with the time it took, for the terminal. */
export function describeBackup({ collections, objects }: Manifest, startedAtMs: number): string {
  const documents = (name: string) =>
    number.format(collections.find(({ collection }) => collection === name)?.documents ?? 0);
  const megabytes = (objects.sizeBytesInAll / 1e6).toFixed(1);
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  return `${documents('users')} users, ${documents('sessions')} sessions, ${documents('recordings')} recordings and ${number.format(objects.count)} media files (${megabytes} MB) in ${seconds} s.`;
}

/** The number at the start of a migration's name. */
const numberOf = (name: string): number => Number.parseInt(name, 10) || 0;

/** The version of a database: the number of its newest migration. */
export function schemaVersionOf(migrations: readonly string[]): number {
  return Math.max(0, ...migrations.map(numberOf));
}

/** The newest version of a service's database that this release knows. */
export async function knownSchemaVersion(service: string): Promise<number> {
  return schemaVersionOf(await readdir(join(REPOSITORY, 'services', service, 'src/migrations')));
}
