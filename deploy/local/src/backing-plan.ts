import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findCommand } from './commands.ts';
import type { LocalSecrets } from './data-folder.ts';
import { StartupError } from './startup-error.ts';
import type { ProcessSpec } from './supervised-process.ts';

/** The addresses of the backing services, under the names of the services' settings. */
export interface BackingSettings {
  MONGODB_URI: string;
  REDIS_URL: string;
  S3_ENDPOINT: string;
  S3_ACCESS_KEY: string;
  S3_SECRET_KEY: string;
  S3_REGION: string;
}

/** The process to run for a backing service, if any, and its settings. */
export interface BackingPlan {
  process?: ProcessSpec;
  settings: Partial<BackingSettings>;
}

/** What choosing a backing service depends on. */
export interface BackingOptions {
  dataDir: string;
  secrets: LocalSecrets;
  /** The user's settings. A service they name is used as it is. */
  env: Readonly<Record<string, string | undefined>>;
  /** Gives Redis an account that may do everything, and REDIS_URL its name: for tests and measurements. */
  hasRedisAdministrator?: boolean;
  /** Free loopback ports. */
  ports: { mongo: number; redis: number; s3: number };
}

/** The backing services listen here. */
export const LOOPBACK = '127.0.0.1';

/** The entry of a server that the product brings. */
export function embeddedServer(name: 'mongo' | 's3'): string {
  return fileURLToPath(new URL(`../../embedded/${name}/src/main.ts`, import.meta.url));
}

/** A server that may be on the PATH, and the one that the product brings. */
interface ServerChoice {
  /** The server's command. */
  name: string;
  /** The data of the embedded server. */
  ownFolder: string;
  /** The data of the server on the PATH. */
  serverFolder: string;
  /** The setting that would name a server elsewhere. */
  given: string;
}

/**
 * Chooses between a server on the PATH and the embedded one. Data stays with the program that wrote it.
 * @returns the server's path; undefined for the embedded one
 * @throws StartupError where the data needs a server that is no longer on the PATH
 */
export function chooseServer({ name, ownFolder, serverFolder, given }: ServerChoice): string | undefined {
  const hasOwnData = existsSync(ownFolder);
  const hasServerData = existsSync(serverFolder);
  if (hasOwnData && !hasServerData) return undefined;
  const command = findCommand([name]);
  if (!command && hasServerData && !hasOwnData) {
    throw new StartupError(
      `The data in ${serverFolder} needs ${name}, which is not on the PATH: install it, set ${given}, or move that folder away to start over.`,
    );
  }
  return command;
}
