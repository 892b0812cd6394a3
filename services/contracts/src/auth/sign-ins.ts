import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

/** An active sign-in of a user. */
export const SignInPlace = z.object({
  id: z.string(),
  /** Browser and operating system from the user agent, such as `Firefox` and `Windows`; null if unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The IP address that the sign-in started from; null if unknown. It is not geolocated. */
  address: z.string().nullable(),
  /** `this`: the address of this request. `private`: a private network or this machine. */
  network: z.enum(['this', 'private', 'public']),
  signedInAt: timestamp,
  /** Rounded to half a minute. */
  lastUsedAt: timestamp,
  /** The latest possible end. */
  expiresAt: timestamp,
  /** Whether this request belongs to the sign-in. */
  isThis: z.boolean(),
});
export type SignInPlace = z.infer<typeof SignInPlace>;

const signInId = z.string().regex(/^[\w-]{1,64}$/, 'This id is not valid');
const auth = routesOf('auth');

/** Auth routes for the user's own sign-ins. */
export const signInRoutes = {
  listSignIns: auth.get('/api/auth/sign-ins', 'signed-in', {
    summary: "One's active sign-ins",
    description: 'Most recently used first, with device, IP address and times.',
    result: z.object({ signIns: z.array(SignInPlace) }),
  }),
  endSignIn: auth.delete('/api/auth/sign-ins/:signInId', 'signed-in', {
    summary: "Revoke one of one's sign-ins",
    description: 'Revokes its tokens and media links immediately, in every service. Requires a fresh sign-in.',
    params: z.object({ signInId }),
    errorStatuses: [403, 404],
    audit: { action: 'sign-in.end', target: 'sign-in' },
  }),
  endOtherSignIns: auth.delete('/api/auth/sign-ins', 'signed-in', {
    summary: "Revoke all of one's other sign-ins",
    description:
      'Revokes their tokens and media links immediately, in every service, and pending sign-ins that await a second factor. Requires a fresh sign-in.',
    errorStatuses: [403],
    audit: { action: 'sign-in.end' },
  }),
};
