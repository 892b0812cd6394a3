import { deliverableEmail, newPassword } from '@interview-prep/contracts/fields';
import { Role } from '@interview-prep/contracts/users';
import { parseSettings, publicUrlSettings, serviceSettings } from '@interview-prep/kit/config';
import { providerSettings } from '@interview-prep/kit/provider-settings';
import { z } from 'zod';
import { googleIssuer, issuerPrefix } from './identities/identity-key.ts';

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The longest life of a token; denylist entries live as long. */
export const maxTokenLifetimeMs = 30 * unitMs.d;

/** A span like '30m' or '12h', in milliseconds. */
const span = z
  .string()
  .regex(/^\d{1,6}[smhd]$/, "must be a number and a unit, like '30m', '12h' or '7d'")
  .transform((text) => Number(text.slice(0, -1)) * unitMs[text.slice(-1) as keyof typeof unitMs])
  .refine((ms) => ms > 0 && ms <= maxTokenLifetimeMs, 'must be more than 0 and at most 30d');

/** The attempts that a limit allows; 0 turns it off. */
const attempts = (usual: number) => z.coerce.number().int().min(0).default(usual);

const { MONGODB_URI, MONGODB_PREFIX } = serviceSettings;

const encryptionKey = z.string().min(32, 'must be at least 32 characters').optional();

/** The settings of what reads and writes signing keys. */
export const keySettings = {
  MONGODB_URI,
  MONGODB_PREFIX,
  /** Encrypts stored secrets. */
  KEY_ENCRYPTION_KEY: encryptionKey,
  /** The key before this one: what it encrypted is encrypted again. */
  KEY_ENCRYPTION_KEY_PREVIOUS: encryptionKey,
};

const shape = {
  ...serviceSettings,
  ...keySettings,
  /** The age at which the signing key is replaced; 0 leaves that to the command. */
  KEY_ROTATION_DAYS: z.coerce.number().int().min(0).max(3650).default(90),
  /** How long an access token lives. */
  TOKEN_LIFETIME: span.prefault('12h'),
  /** How long a sign-in may be without use; 0: until its end. Uses are noted every half minute, so less could not be measured. */
  SIGN_IN_IDLE_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(30 * 24 * 60)
    .default(60)
    .refine((minutes) => minutes === 0 || minutes >= 5, 'must be 0 or at least 5'),

  /** How recent a sign-in must be for what it would be worst to lose: accounts, roles, second factors. */
  STEP_UP_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(24 * 60)
    .default(10),
  /** The roles that need a second factor to sign in, with commas between them. */
  MFA_REQUIRED_ROLES: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((role) => role.trim()))
    .transform((roles) => roles.filter((role) => role !== ''))
    .pipe(z.array(z.enum(Role.options, `must be some of ${Role.options.join(', ')}, with commas between them`))),

  /** Failed sign-ins for one email from one address in 15 minutes, and wrong codes of one user. */
  LOGIN_ATTEMPTS: attempts(10),
  /** Failed sign-ins, resets and Google sign-ins from one address in 15 minutes. */
  ADDRESS_ATTEMPTS: attempts(100),
  /** Reset mails asked for one email from one address in an hour; an address may ask for ten times as many in all. */
  RESET_MAILS: attempts(5),

  /** A server of breached passwords, asked about each new password by the beginning of its hash. */
  PASSWORD_BREACH_URL: z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' }).optional(),

  /** The mail server: smtp://user:password@host:port. Without it no reset link can be sent. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().default('Interview Preparation Platform <no-reply@localhost>'),
  ...publicUrlSettings,

  /** How long the audit log keeps an entry. */
  AUDIT_DAYS: z.coerce.number().int().min(1).max(3650).default(365),
  /** Where each new entry of the audit log is also written as a line of JSON: `stdout`, or the path of a file. */
  AUDIT_LOG: z.string().optional(),

  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_TOKENINFO_URL: z.url().default('https://oauth2.googleapis.com/tokeninfo'),
  GOOGLE_USERINFO_URL: z.url().default('https://openidconnect.googleapis.com/v1/userinfo'),

  ...providerSettings,
  /** What the provider knows the product by. */
  OIDC_CLIENT_ID: z.string().max(500).optional(),
  OIDC_CLIENT_SECRET: z.string().max(2000).optional(),
  /** What is asked for, with blanks between. */
  OIDC_SCOPES: z
    .string()
    .default('openid email')
    .refine((scopes) => scopes.split(' ').includes('openid'), 'must have openid among them'),

  /** The first admin, created if there is none. Without ADMIN_PASSWORD a one-time set-up link is logged. */
  ADMIN_EMAIL: deliverableEmail().optional(),
  ADMIN_PASSWORD: newPassword().optional(),
  /** `demo` creates the three demonstration users once, with DEMO_PASSWORD. */
  SEED: z.enum(['demo', 'none']).default('none'),
  DEMO_PASSWORD: newPassword().optional(),
};

export type AuthSettings = z.infer<z.ZodObject<typeof shape>>;

/** The auth service's settings. */
export function readSettings(environment?: NodeJS.ProcessEnv): AuthSettings {
  return parseSettings(shape, environment, [
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
