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

/** Log paths whose values never show. */
const redacted = [
  ...secret,
  ...secret.map((name) => `*.${name}`),
  'req.headers.authorization',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
];

/** A JSON logger to standard output; passwords and tokens are blotted out. */
export function createLogger(name: string, level: string): Logger {
  return pino({ name, level, redact: { paths: redacted, censor: '[redacted]' } });
}

/** A URL as it may be logged: media and reset tokens in its query are blotted out. */
export const loggableUrl = (url: string): string => url.replace(/([?&]token=)[^&]*/g, '$1[redacted]');
