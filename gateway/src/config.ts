import { PublicSettings } from '@interview-prep/contracts/operations';
import { parseSettings, processSettings, publicUrlSettings } from '@interview-prep/kit/config';
import { gatewaySecret } from '@interview-prep/kit/gateway-tokens';
import { providerSettings } from '@interview-prep/kit/provider-settings';
import { z } from 'zod';

/** Demonstration logins as JSON. Only set for a demonstration that listens on this machine alone; its gateway then answers to its own names only. */
const demoLogins = z
  .string()
  .default('[]')
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('must be JSON');
      return z.NEVER;
    }
  })
  .pipe(PublicSettings.shape.demoLogins);

/** The gateway's settings. */
export function readSettings(environment?: NodeJS.ProcessEnv) {
  return parseSettings(
    {
      ...processSettings,
      ...publicUrlSettings,
      AUTH_URL: z.url(),
      CATALOG_URL: z.url(),
      RECORDING_URL: z.url(),
      HISTORY_URL: z.url(),
      /** The `GATEWAY_SECRET` of each service. */
      GATEWAY_AUTH_SECRET: gatewaySecret.optional(),
      GATEWAY_CATALOG_SECRET: gatewaySecret.optional(),
      GATEWAY_RECORDING_SECRET: gatewaySecret.optional(),
      GATEWAY_HISTORY_SECRET: gatewaySecret.optional(),
      /** The folder of the built web app. */
      WEB_ROOT: z.string(),
      /** A development server that serves the web app instead. */
      WEB_DEV_URL: z.url().optional(),
      /** How many proxies are in front; their X-Forwarded-For is trusted. */
      TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
      GOOGLE_CLIENT_ID: z.string().optional(),
      ...providerSettings,
      AVATAR_URL: z
        .string()
        .regex(/^https?:\/\/.*\{seed\}/, 'must be an http(s) URL with {seed} in it')
        .optional(),
      DEMO_LOGINS: demoLogins,
    },
    environment,
  );
}
export type Settings = ReturnType<typeof readSettings>;
