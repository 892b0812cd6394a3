import { z } from 'zod';

/** Settings that every process has. `MONGODB_URI` names the server; each service adds its own database. */
export const processSettings = {
  NODE_ENV: z.string().default('production'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
};

/** Settings of a process that checks tokens, keeps data and talks through queues. */
export const serviceSettings = {
  ...processSettings,
  MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://'),
  /** Put before each service's database name; tests keep apart with it. */
  MONGODB_PREFIX: z.string().default(''),
  REDIS_URL: z.string().regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://'),
  /** Opens every key in Redis. */
  REDIS_PREFIX: z.string().default('interview-prep'),
};

/** Where the keys are that verify access tokens. */
export const tokenSettings = { AUTH_JWKS_URL: z.url() };

/** What must hold between settings that are each valid: `path` names the one at fault, `message` what it must be. */
export interface SettingsRule<Settings> {
  path: string;
  message: string;
  holds(settings: Settings): boolean;
}

/**
 * Parses a process's environment; an empty variable counts as absent. Lists every fault at once and ends the process
 * with status 1 where there are any. `rules` are looked at once each setting is valid by itself.
 */
export function parseSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: NodeJS.ProcessEnv = process.env,
  rules: readonly SettingsRule<z.infer<z.ZodObject<Shape>>>[] = [],
): z.infer<z.ZodObject<Shape>> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = z.object(shape).safeParse(given);
  const broken = parsed.success ? rules.filter((rule) => !rule.holds(parsed.data)) : [];
  if (parsed.success && broken.length === 0) return parsed.data;
  const faults = parsed.success
    ? broken.map(({ path, message }) => `${path}: ${message}`)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return refuseSettings(faults);
}

/** Lists what is wrong with the settings, a line each, and ends the process with status 1. */
export function refuseSettings(faults: readonly string[]): never {
  process.stderr.write(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}\n`);
  process.exit(1);
}
