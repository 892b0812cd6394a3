/**
 * Settings of a product that is fuzzed: thousands of cases would reach the limits and outlast a fresh sign-in, and speech is to
 * cost little.
 */
export const fuzzSettings: Readonly<Record<string, string>> = {
  LOGIN_ATTEMPTS: '0',
  ADDRESS_ATTEMPTS: '0',
  RESET_MAILS: '0',
  STEP_UP_MINUTES: '1440',
  UPLOADS_PER_MINUTE: '0',
  UPLOADS_PER_HOUR: '0',
  EXPORTS_PER_HOUR: '0',
  WORKER_CONCURRENCY: '1',
  LOG_LEVEL: 'warn',
};
