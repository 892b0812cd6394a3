/**
 * Settings of a product that is fuzzed: thousands of cases would reach the limits and outlast a fresh sign-in, and speech is to
 * cost little.
 */
export const fuzzSettings: Readonly<Record<string, string>> = {
  LOGIN_ATTEMPTS: '0',
  UPLOADS_PER_HOUR: '0',
  LOG_LEVEL: 'warn',
};
