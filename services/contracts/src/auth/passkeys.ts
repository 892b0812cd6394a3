import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { SignedInUser } from './users.ts';

const invalid = 'This passkey is not valid.';

/** Binary data from an authenticator. An attestation has several hundred bytes. */
const binary = z
  .string(invalid)
  .max(10_000, invalid)
  .regex(/^[\w-]+$/, invalid);

const credential = {
  id: binary.max(1400, invalid),
  rawId: binary.max(1400, invalid),
  type: z.literal('public-key', invalid),
  clientExtensionResults: z.object({}, invalid),
};

/** An authenticator's response after creating a passkey. Source: WebAuthn level 3, RegistrationResponseJSON. */
export const NewPasskey = z.object(
  { ...credential, response: z.object({ clientDataJSON: binary, attestationObject: binary }, invalid) },
  invalid,
);

/** An authenticator's response after using a passkey. Source: WebAuthn level 3, AuthenticationResponseJSON. */
export const UsedPasskey = z.object(
  {
    ...credential,
    response: z.object({ clientDataJSON: binary, authenticatorData: binary, signature: binary }, invalid),
  },
  invalid,
);

/** A passkey as its user sees it. */
export const Passkey = z.object({
  id: z.string(),
  /** Whether the passkey is bound to one device or synced by its provider. */
  isSynced: z.boolean(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** The options of `navigator.credentials.create` or `get`, as JSON. Source: WebAuthn level 3. */
const PasskeyOptions = z.object({ options: z.record(z.string(), z.unknown()) });

const auth = routesOf('auth');

/** Auth routes for passkeys. */
export const passkeyRoutes = {
  passkeySignInOptions: auth.post('/api/auth/passkey-sign-in/options', 'anyone', {
    summary: 'Start signing in with a passkey',
    description:
      'Returns options for navigator.credentials.get. The challenge can be used once, within five minutes. If too many are unused, the oldest are discarded.',
    result: PasskeyOptions,
    errorStatuses: [501],
  }),
  passkeySignIn: auth.post('/api/auth/passkey-sign-in', 'anyone', {
    summary: 'Sign in with a passkey',
    description:
      'The authenticator verifies the person by PIN, fingerprint or face, so this counts as both factors: no code is required.',
    body: z.object({ passkey: UsedPasskey }),
    result: z.object({ user: SignedInUser }),
    errorStatuses: [401, 429, 501],
    audit: { action: 'sign-in.passkey' },
  }),
  newPasskeyOptions: auth.post('/api/auth/passkeys/options', 'signed-in', {
    summary: 'Start creating a passkey',
    description: 'Returns options for navigator.credentials.create. Requires a fresh sign-in.',
    result: PasskeyOptions,
    errorStatuses: [403, 409, 501],
  }),
  addPasskey: auth.post('/api/auth/passkeys', 'signed-in', {
    summary: 'Save a new passkey',
    description: 'Stores the public key. At most ten per user.',
    body: z.object({ passkey: NewPasskey }),
    status: 201,
    result: z.object({ passkey: Passkey }),
    errorStatuses: [403, 409, 501],
    audit: { action: 'factor.change' },
  }),
  removePasskey: auth.delete('/api/auth/passkeys/:passkeyId', 'signed-in', {
    summary: "Remove one of one's passkeys",
    description:
      'It can no longer be used to sign in. Rejected if the role requires a second factor and no other is left, or if the user would have no way to sign in. Requires a fresh sign-in.',
    params: z.object({ passkeyId: z.string().regex(/^[\w-]{1,1400}$/, invalid) }),
    errorStatuses: [403, 404, 409],
    audit: { action: 'factor.remove' },
  }),
};
