import { type Logger, pino } from 'pino';

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

/** A JSON logger to standard output; passwords and tokens are redacted. */
export function createLogger(name: string, level: string): Logger {
  return pino({ name, level, redact: { paths: redacted, censor: '[redacted]' } });
}

/** A URL for the log: media and reset tokens in its query are redacted. */
export function loggableUrl(url: string): string {
  return url.replace(/([?&]token=)[^&]*/g, '$1[redacted]');
}
