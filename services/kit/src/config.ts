import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { gatewaySecret } from './gateway-tokens.ts';
import { tlsSettings } from './tls-settings.ts';

/** Settings of every process. */
export const processSettings = {
  NODE_ENV: z.string().default('production'),
  HOST: z.string().default('127.0.0.1'),
  /** Whoever sends it as a bearer token may read /metrics; without it nobody may. */
  METRICS_TOKEN: z.string().min(16, 'must have 16 characters or more').optional(),
  PORT: z.coerce.number().int().min(0).max(65_535),
  ...tlsSettings,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
};

/** Settings of a process with a database and queues. `MONGODB_URI` names the server; each service adds its own database. */
export const serviceSettings = {
  ...processSettings,
  MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://'),
  /** Begins the names of the databases, so that tests do not share them. */
  MONGODB_PREFIX: z.string().default(''),
  REDIS_URL: z.string().regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://'),
  /** Begins every key in Redis. */
  REDIS_PREFIX: z.string().default('interview-prep'),
  /** With it the service answers the gateway only, which has the same. */
  GATEWAY_SECRET: gatewaySecret.optional(),
};

/** The address of the product for its users. Links in mails begin with it, and with https: its cookies are for TLS alone. */
export const publicUrlSettings = {
  PUBLIC_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ''))
    .prefault('http://localhost:8080'),
};

/** The address of the keys that verify access tokens. */
export const tokenSettings = { AUTH_JWKS_URL: z.url() };

/** A condition between settings. `path` names the invalid setting, `message` says what it must be. */
export interface SettingsRule<Settings> {
  path: string;
  message: string;
  holds(settings: Settings): boolean;
}

/**
 * Parses a process's environment; an empty variable counts as absent. Each setting may also be the content of a file, which
 * `NAME_FILE` names, as vaults and Docker write them. With any invalid setting it lists them all and ends the process with
 * status 1. `rules` are checked once each setting is valid by itself.
 */
export function parseSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: NodeJS.ProcessEnv = process.env,
  rules: readonly SettingsRule<z.infer<z.ZodObject<Shape>>>[] = [],
): z.infer<z.ZodObject<Shape>> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { values, unreadable } = readSettingFiles(Object.keys(shape), given);
  if (unreadable.length > 0) return refuseSettings(unreadable);
  const parsed = z.object(shape).safeParse({ ...given, ...values });
  const broken = parsed.success ? rules.filter((rule) => !rule.holds(parsed.data)) : [];
  if (parsed.success && broken.length === 0) return parsed.data;
  const problems = parsed.success
    ? broken.map(({ path, message }) => `${path}: ${message}`)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return refuseSettings(problems);
}

/** The settings that files hold, without the line's end of a last line, and what is wrong with the others. */
function readSettingFiles(names: readonly string[], given: Readonly<Record<string, string | undefined>>) {
  const values: Record<string, string> = {};
  const unreadable: string[] = [];
  for (const name of names) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    try {
      if (given[name] !== undefined) throw new Error(`${name} is set as well: set one of them`);
      values[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      unreadable.push(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  return { values, unreadable };
}

/** A valid setting that does not work with the server it is for. Waiting does not mend it; `message` says why. */
export class UnusableSetting extends Error {
  override readonly name = 'UnusableSetting';
  /** The setting's name. */
  readonly setting: string;

  constructor(setting: string, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.setting = setting;
  }
}

/** Prints what is wrong with the settings, a line each, and ends the process with status 1. */
export function refuseSettings(problems: readonly string[]): never {
  process.stderr.write(`Invalid settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}\n`);
  process.exit(1);
}
