import { z } from 'zod';
import { idParams } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { LinkedProvider } from './identities.ts';
import { Passkey, UsedPasskey } from './passkeys.ts';
import { TotpSecret } from './second-factor-step.ts';
import { SignedInUser } from './users.ts';

/** A user's sign-in methods. */
export const AccountSecurity = z.object({
  hasPassword: z.boolean(),
  /** Whether an authenticator app is set up. */
  totp: z.boolean(),
  recoveryCodesLeft: z.number().int(),
  /** Whether the user's role requires a second factor. */
  secondFactorRequired: z.boolean(),
  passkeys: z.array(Passkey),
  /** The host that passkeys work at; null if the product is reached by an IP address instead of a name. */
  passkeyHost: z.string().nullable(),
  /** The configured providers, linked or not. */
  providers: z.array(LinkedProvider),
});
export type AccountSecurity = z.infer<typeof AccountSecurity>;

/** Shown only once: the server stores only hashes. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

const codeMissing = 'Please enter the code.';

/** A six-digit code of an authenticator app, or a recovery code; whitespace and hyphens are ignored. */
export const factorCode = z.string(codeMissing).max(50, 'This code is not valid.').trim().min(1, codeMissing);

const auth = routesOf('auth');

/** Auth routes for second factors. */
export const accountSecurityRoutes = {
  secondFactor: auth.post('/api/auth/second-factor', 'anyone', {
    summary: 'Sign in: the second factor',
    description:
      'Takes the challenge of a sign-in, and a code of the authenticator app or a recovery code. Each code can be used once. If the sign-in requires setting up an authenticator app, the code confirms it, and the response contains recovery codes.',
    body: z.object({
      challenge: z
        .string('Please sign in again.')
        .trim()
        .min(1, 'Please sign in again.')
        .max(200, 'Please sign in again.'),
      code: factorCode,
    }),
    result: z.object({ user: SignedInUser, recoveryCodes: z.array(z.string()).optional() }),
    errorStatuses: [401, 429],
    audit: { action: 'sign-in.second-factor' },
  }),
  stepUp: auth.post('/api/auth/step-up', 'signed-in', {
    summary: 'Confirm a sign-in with the password or a second factor',
    description:
      "Calls that return 403 with the code step_up_required require a sign-in within the last ten minutes. This one takes the user's second factor (a code, or a passkey with a challenge from /api/auth/passkey-sign-in/options), or without one the password, and returns a fresh token for the same sign-in.",
    body: z.object({
      password: z
        .string('Password is required')
        .min(1, 'Password is required')
        .max(1000, 'The password is incorrect')
        .optional(),
      code: factorCode.optional(),
      passkey: UsedPasskey.optional(),
    }),
    result: z.object({ token: z.string() }),
    errorStatuses: [409, 429, 501],
    audit: { action: 'sign-in.step-up' },
  }),
  accountSecurity: auth.get('/api/auth/security', 'signed-in', {
    summary: "One's sign-in methods: password, authenticator app, recovery codes, passkeys, providers",
    description: "The signed-in user's configuration, without secrets.",
    result: AccountSecurity,
  }),
  beginTotp: auth.post('/api/auth/totp', 'signed-in', {
    summary: 'Start setting up an authenticator app',
    description:
      'Returns a new secret (RFC 6238). It takes effect once a code has been confirmed within ten minutes. Requires a fresh sign-in.',
    result: TotpSecret,
    errorStatuses: [403],
  }),
  confirmTotp: auth.post('/api/auth/totp/confirm', 'signed-in', {
    summary: 'Finish setting up an authenticator app with its first code',
    description: 'Replaces any previous app. Returns new recovery codes, which are shown only here.',
    body: z.object({ code: factorCode }),
    result: RecoveryCodes,
    errorStatuses: [403, 409, 429],
    audit: { action: 'factor.change' },
  }),
  removeTotp: auth.delete('/api/auth/totp', 'signed-in', {
    summary: 'Remove the authenticator app and the recovery codes',
    description: 'Rejected if the role requires a second factor and no other is left. Requires a fresh sign-in.',
    errorStatuses: [403, 409],
    audit: { action: 'factor.remove' },
  }),
  renewRecoveryCodes: auth.post('/api/auth/recovery-codes', 'signed-in', {
    summary: 'New recovery codes; the old ones stop working',
    description: 'Only for users with a second factor. Requires a fresh sign-in.',
    result: RecoveryCodes,
    errorStatuses: [403, 409],
    audit: { action: 'factor.change' },
  }),
  resetSecondFactor: auth.delete('/api/users/:id/second-factor', 'admin', {
    summary: 'Remove the second factors that a user has lost',
    description:
      'Removes the authenticator app, the recovery codes and the passkeys of another user, and revokes their sign-ins. Requires a fresh sign-in.',
    params: idParams,
    errorStatuses: [404],
    audit: { action: 'factor.reset', target: 'user' },
  }),
};
