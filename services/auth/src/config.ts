import { parseSettings, type Settings, type SettingsOf, settingsOf } from '@interview-prep/kit/process/config';
import { googleIssuer, issuerPrefix } from './users/identity-key.ts';

export type AuthSettings = Settings<SettingsOf<'auth'>>;

export function readSettings(environment?: NodeJS.ProcessEnv): AuthSettings {
  return parseSettings(settingsOf('auth'), environment, [
    {
      path: 'DEMO_PASSWORD',
      message: 'is required with SEED=demo',
      holds: ({ SEED, DEMO_PASSWORD }) => SEED !== 'demo' || DEMO_PASSWORD !== undefined,
    },
    {
      path: 'OIDC_CLIENT_ID',
      message: 'is required with OIDC_ISSUER',
      holds: ({ OIDC_ISSUER, OIDC_CLIENT_ID }) => OIDC_ISSUER === undefined || OIDC_CLIENT_ID !== undefined,
    },
    {
      path: 'OIDC_CLIENT_SECRET',
      message: 'is required with OIDC_ISSUER',
      holds: ({ OIDC_ISSUER, OIDC_CLIENT_SECRET }) => OIDC_ISSUER === undefined || OIDC_CLIENT_SECRET !== undefined,
    },
    {
      path: 'OIDC_ISSUER',
      message: 'is required with OIDC_CLIENT_ID',
      holds: ({ OIDC_ISSUER, OIDC_CLIENT_ID }) => OIDC_CLIENT_ID === undefined || OIDC_ISSUER !== undefined,
    },
    {
      path: 'GOOGLE_CLIENT_ID',
      message: 'must be empty where OIDC_ISSUER is Google',
      holds: ({ OIDC_ISSUER, GOOGLE_CLIENT_ID }) =>
        GOOGLE_CLIENT_ID === undefined ||
        OIDC_ISSUER === undefined ||
        issuerPrefix(OIDC_ISSUER) !== issuerPrefix(googleIssuer),
    },
    {
      path: 'ADMIN_EMAIL',
      message: 'is required with ADMIN_PASSWORD',
      holds: ({ ADMIN_EMAIL, ADMIN_PASSWORD }) => ADMIN_PASSWORD === undefined || ADMIN_EMAIL !== undefined,
    },
  ]);
}
