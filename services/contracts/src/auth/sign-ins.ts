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
    summary: 'Where one is signed in',
    description: 'The sign-ins that go on, the last used first: device, address, and times.',
    result: z.object({ signIns: z.array(SignInPlace) }),
  }),
  endSignIn: auth.delete('/api/auth/sign-ins/:signInId', 'signed-in', {
    summary: "End one of one's sign-ins",
    description: 'Revokes its tokens and its links to media at once, in every service. Needs a fresh sign-in.',
    params: z.object({ signInId }),
    errorStatuses: [403, 404],
    audit: { action: 'sign-in.end', target: 'sign-in' },
  }),
  endOtherSignIns: auth.delete('/api/auth/sign-ins', 'signed-in', {
    summary: "End all of one's sign-ins but this one",
    description:
      'Revokes their tokens and their links to media at once, in every service, also those that wait for a second factor. Needs a fresh sign-in.',
    errorStatuses: [403],
    audit: { action: 'sign-in.end' },
  }),
};
