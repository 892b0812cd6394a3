import { z } from 'zod';

/** What to type into an authenticator app by hand, and the address that its QR code holds. */
export const TotpSecret = z.object({ secret: z.string(), uri: z.string() });
export type TotpSecret = z.infer<typeof TotpSecret>;

/** How a sign-in continues after the password or the identity provider. */
export const SecondFactorStep = z.object({
  /** Stands for the first factor. Valid for ten minutes and five attempts. */
  challenge: z.string(),
  /** What the user has set up. Empty where the role needs a second factor and the user has none. */
  methods: z.array(z.enum(['totp', 'recovery-code'])),
  /** The authenticator app to set up now, where `methods` is empty. */
  enrolment: TotpSecret.optional(),
});
export type SecondFactorStep = z.infer<typeof SecondFactorStep>;
