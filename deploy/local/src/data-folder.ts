import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from './settings.ts';

/** Generated at the first start and kept: without these secrets the stored data is inaccessible. */
export interface LocalSecrets {
  mongoPassword: string;
  redisPassword: string;
  s3AccessKey: string;
  s3SecretKey: string;
  mediaTokenSecret: string;
  /** Grants access to the metrics of every process. */
  metricsToken: string;
  /** First path segment of the page of caught mail. */
  mailPath: string;
}

const token = (bytes: number): string => randomBytes(bytes).toString('base64url');

const NEW_SECRETS: { readonly [Name in keyof LocalSecrets]: () => string } = {
  mongoPassword: () => token(24),
  redisPassword: () => token(24),
  s3AccessKey: () => token(12),
  s3SecretKey: () => token(30),
  mediaTokenSecret: () => token(32),
  metricsToken: () => token(24),
  mailPath: () => token(24),
};

/**
 * Creates the folder if it is missing, and denies other users access to it and to every file that this process and
 * its children create from now on.
 * @throws StartupError if it is not writable
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    process.umask(0o077);
    await mkdir(dataDir, { recursive: true });
    if (((await stat(dataDir)).mode & 0o077) !== 0) await chmod(dataDir, 0o700);
    await access(dataDir, constants.W_OK | constants.X_OK);
    await mkdir(join(dataDir, 'logs'), { recursive: true });
  } catch (error) {
    throw new StartupError(
      `The data folder ${dataDir} cannot be written to (${(error as Error).message}); fix that, or set DATA_DIR to another.`,
    );
  }
}

/** Removes a folder and its contents. Retries, since a process that is exiting may still write to it. */
export function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 10 });
}

/** Turns a file system error in the data folder into a StartupError; returns any other error unchanged. */
export function dataFolderError(dataDir: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, path, message }: NodeJS.ErrnoException = error;
  if (!code || !path?.startsWith(dataDir)) return error;
  return new StartupError(
    `The data folder ${dataDir} cannot be used (${message}); fix that, or set DATA_DIR to another.`,
  );
}

/** Writes a temporary file and renames it, so that the file is never incomplete. Only its owner can read it. */
export async function writePrivately(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

/** The contents of a file; undefined if it doesn't exist. @throws StartupError if it cannot be read */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartupError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

function parseSecrets(path: string, text: string): Partial<LocalSecrets> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  const valid =
    typeof parsed === 'object' &&
    parsed !== null &&
    Object.values(parsed).every((value) => typeof value === 'string' && value !== '');
  if (!valid) {
    throw new StartupError(
      `${path} is damaged: restore it from a backup, or delete it to create new keys (everyone will have to sign in again).`,
    );
  }
  return parsed as Partial<LocalSecrets>;
}

/**
 * Reads `secrets.json`, and adds missing secrets.
 * @throws StartupError if it is damaged
 */
export async function keepSecrets(dataDir: string): Promise<LocalSecrets> {
  const path = join(dataDir, 'secrets.json');
  const text = await readIfThere(path);
  const kept = text === undefined ? {} : parseSecrets(path, text);
  const made = Object.fromEntries(Object.entries(NEW_SECRETS).map(([name, make]) => [name, make()]));
  const secrets = { ...made, ...kept } as unknown as LocalSecrets;
  const whole = `${JSON.stringify(secrets, undefined, 2)}\n`;
  if (whole !== text) await writePrivately(path, whole);
  return secrets;
}

/** Replaces every secret, effective at the next start. Existing links to media stop working. */
export async function rotateSecrets(dataDir: string): Promise<void> {
  const made = Object.fromEntries(Object.entries(NEW_SECRETS).map(([name, make]) => [name, make()]));
  await writePrivately(join(dataDir, 'secrets.json'), `${JSON.stringify(made, undefined, 2)}\n`);
}

export type Seed = 'demo' | 'none';

/**
 * Determines the initial data: the given seed, else the one stored in `seed`, else the demonstration. Stores the choice.
 * @returns the seed, and the one stored before
 * @throws StartupError if the file is damaged
 */
export async function resolveSeed(
  dataDir: string,
  given: Seed | undefined,
): Promise<{ seed: Seed; before: Seed | undefined }> {
  const path = join(dataDir, 'seed');
  const before = (await readIfThere(path))?.trimEnd();
  if (before !== undefined && before !== 'demo' && before !== 'none') {
    throw new StartupError(
      `${path} is damaged: write "demo" into it, or "none" if this installation began without a demonstration.`,
    );
  }
  const seed = given ?? before ?? 'demo';
  if (seed !== before) await writePrivately(path, `${seed}\n`);
  return { seed, before };
}

function pick(letters: string, count: number): string {
  // Bytes beyond the largest multiple of the alphabet's size are dropped, so that every letter is equally likely.
  const limit = 256 - (256 % letters.length);
  let picked = '';
  while (picked.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < limit && picked.length < count) picked += letters[byte % letters.length];
    }
  }
  return picked;
}

/**
 * The password of the demonstration users. The first start stores the given one, or generates one, in `demo-password`;
 * later starts reuse it, since the users were created with it.
 */
export async function ensureDemoPassword(dataDir: string, given: string | undefined): Promise<string> {
  const path = join(dataDir, 'demo-password');
  const kept = (await readIfThere(path))?.trimEnd();
  if (kept) return kept;
  // Meant for typing: four short groups, without ambiguous characters.
  const made = Array.from({ length: 4 }, () => pick('abcdefghjkmnpqrstuvwxyz23456789', 4)).join('-');
  await writePrivately(path, `${given ?? made}\n`);
  return given ?? made;
}
