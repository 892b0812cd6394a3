import { z } from 'zod';

/** The secret of an authenticator app: text to type, and the URI for the QR code. */
export const TotpSecret = z.object({ secret: z.string(), uri: z.string() });
export type TotpSecret = z.infer<typeof TotpSecret>;

/** The next step of a sign-in after the password or the identity provider. */
export const SecondFactorStep = z.object({
  /** Proves the first factor. Valid for ten minutes and five attempts. */
  challenge: z.string(),
  /** The user's second factors. Empty if the role requires one and the user has none. */
  methods: z.array(z.enum(['totp', 'recovery-code'])),
  /** The authenticator app to set up now, if `methods` is empty. */
  enrolment: TotpSecret.optional(),
});
export type SecondFactorStep = z.infer<typeof SecondFactorStep>;
