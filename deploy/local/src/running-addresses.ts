import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { BackingSettings } from './backing-services.ts';
import { readIfThere, writePrivately } from './data-folder.ts';
import { StartupError } from './settings.ts';

const Addresses: z.ZodType<BackingSettings> = z.object({
  MONGODB_URI: z.string(),
  REDIS_URL: z.string(),
  S3_ENDPOINT: z.string(),
  S3_ACCESS_KEY: z.string(),
  S3_SECRET_KEY: z.string(),
  S3_REGION: z.string(),
});

const pathIn = (dataDir: string): string => join(dataDir, 'running.json');

/** Saves the backing services' addresses for commands that run beside the product. */
export async function saveAddresses(dataDir: string, backing: BackingSettings): Promise<void> {
  await writePrivately(pathIn(dataDir), `${JSON.stringify(backing, undefined, 2)}\n`);
}

export async function deleteAddresses(dataDir: string): Promise<void> {
  await rm(pathIn(dataDir), { force: true });
}

/**
 * The backing services' addresses of the product that is running on this data folder.
 * @throws StartupError while it is starting or stopping
 */
export async function readAddresses(dataDir: string): Promise<BackingSettings> {
  const text = await readIfThere(pathIn(dataDir));
  if (text !== undefined) return Addresses.parse(JSON.parse(text));
  throw new StartupError(`The product on ${dataDir} is starting or stopping; try again in a moment.`);
}
