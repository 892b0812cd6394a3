import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from './startup-error.ts';

/** Made at the first start and kept, so that the data can be opened and tokens stay valid at the next. */
export interface LocalSecrets {
  redisPassword: string;
  s3AccessKey: string;
  s3SecretKey: string;
  mediaTokenSecret: string;
}

const token = (bytes: number): string => randomBytes(bytes).toString('base64url');

const NEW_SECRETS: { readonly [Name in keyof LocalSecrets]: () => string } = {
  redisPassword: () => token(24),
  s3AccessKey: () => token(12),
  s3SecretKey: () => token(30),
  mediaTokenSecret: () => token(32),
};

/** Makes the folder when it is missing. Throws a StartupError when it cannot be written to. */
export const prepareDataFolder = async (dataDir: string): Promise<void> => {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK | constants.X_OK);
    await mkdir(join(dataDir, 'logs'), { recursive: true });
  } catch (error) {
    throw new StartupError(
      `The data folder ${dataDir} cannot be written to (${(error as Error).message}); mend that, or set DATA_DIR to another.`,
    );
  }
};

/** Removes a folder and all in it, also while a process that was just ended may still be adding to it. */
export const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 10 });

/**
 * What to tell the user of an error on the way: that the system refused a file of the data folder, as a StartupError; any
 * other error as it is.
 */
export const dataFolderProblem = (dataDir: string, error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { code, path, message }: NodeJS.ErrnoException = error;
  if (!code || !path?.startsWith(dataDir)) return error;
  return new StartupError(
    `The data folder ${dataDir} cannot be used (${message}); mend that, or set DATA_DIR to another.`,
  );
};

/** Writes beside and renames, so that the file is never half there; readable by its owner alone. */
const writePrivately = async (path: string, text: string): Promise<void> => {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
};

const readIfThere = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartupError(`${path} cannot be read: ${(error as Error).message}.`);
  }
};

const parseSecrets = (path: string, text: string): Partial<LocalSecrets> => {
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
      `${path} is damaged: put it back from a copy, or remove it to have new keys made (everybody has to sign in again).`,
    );
  }
  return parsed as Partial<LocalSecrets>;
};

/** Reads `secrets.json`, adding what is missing. Throws a StartupError when it is damaged. */
export const keepSecrets = async (dataDir: string): Promise<LocalSecrets> => {
  const path = join(dataDir, 'secrets.json');
  const text = await readIfThere(path);
  const kept = text === undefined ? {} : parseSecrets(path, text);
  const made = Object.fromEntries(Object.entries(NEW_SECRETS).map(([name, make]) => [name, make()]));
  const secrets = { ...made, ...kept } as unknown as LocalSecrets;
  const whole = `${JSON.stringify(secrets, undefined, 2)}\n`;
  if (whole !== text) await writePrivately(path, whole);
  return secrets;
};

export type Seed = 'demo' | 'none';

/**
 * What the data begins with, in `seed`: as given at this start, else as at the last that was given it, else the
 * demonstration. `before` is what was kept. Throws a StartupError when it is damaged.
 */
export const keepSeed = async (
  dataDir: string,
  given: Seed | undefined,
): Promise<{ seed: Seed; before: Seed | undefined }> => {
  const path = join(dataDir, 'seed');
  const before = (await readIfThere(path))?.trimEnd();
  if (before !== undefined && before !== 'demo' && before !== 'none') {
    throw new StartupError(
      `${path} is damaged: write "demo" into it, or "none" where this began without a demonstration.`,
    );
  }
  const seed = given ?? before ?? 'demo';
  if (seed !== before) await writePrivately(path, `${seed}\n`);
  return { seed, before };
};

/** Random letters. */
const pick = (letters: string, count: number): string => {
  // 256 is no multiple of the alphabet, so bytes beyond its last whole multiple are thrown away: no letter is favoured.
  const limit = 256 - (256 % letters.length);
  let picked = '';
  while (picked.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < limit && picked.length < count) picked += letters[byte % letters.length];
    }
  }
  return picked;
};

/**
 * The password of the demonstration's users, in `demo-password`: the one given at the first start, else one that is made.
 * Later starts find it there, as the users were made with it.
 */
export const keepDemoPassword = async (dataDir: string, given: string | undefined): Promise<string> => {
  const path = join(dataDir, 'demo-password');
  const kept = (await readIfThere(path))?.trimEnd();
  if (kept) return kept;
  // Typed by a person: four short groups without look-alikes.
  const made = Array.from({ length: 4 }, () => pick('abcdefghjkmnpqrstuvwxyz23456789', 4)).join('-');
  await writePrivately(path, `${given ?? made}\n`);
  return given ?? made;
};
