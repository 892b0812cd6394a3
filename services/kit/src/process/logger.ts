import { type Logger, pino, stdTimeFunctions } from 'pino';
import { createLogOutput } from './log-output.ts';
import { holdBackRepeats } from './repeated-lines.ts';

export type { Logger };

const secret = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'accessToken',
  'secret',
  'authorization',
  'cookie',
];

/** Log paths whose values are replaced. */
const redacted = [
  ...secret,
  ...secret.map((name) => `*.${name}`),
  'req.headers.authorization',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
];

/**
 * A JSON logger to standard output; passwords and tokens are redacted. Logging never blocks: what can't be written is dropped
 * and counted. Warnings and errors that repeat are one line for each cause and minute, with a count.
 */
export function createLogger(name: string, level: string): Logger {
  const redact = { paths: redacted, censor: '[redacted]' };
  const hooks = { logMethod: holdBackRepeats() };
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = stdTimeFunctions.isoTime;
  return pino({ name, level, redact, hooks, formatters, timestamp }, createLogOutput(1, name));
}

/** A URL for the log: media and reset tokens in its query are redacted, emails, and what an OpenID provider adds. */
export function loggableUrl(url: string): string {
  return url.replace(/([?&](?:token|code|state|email)=)[^&]*/g, '$1[redacted]');
}
