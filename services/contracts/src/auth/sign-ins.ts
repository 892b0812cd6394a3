import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

/** Where a user is signed in. */
export const SignInPlace = z.object({
  id: z.string(),
  /** As the browser names itself, as in `Firefox` and `Windows`; null where it is not known. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The address that it began from; null where it is not known. Nothing is looked up elsewhere. */
  address: z.string().nullable(),
  /** `this`: where this request comes from. `private`: a network or a machine that is not on the internet. */
  network: z.enum(['this', 'private', 'public']),
  signedInAt: timestamp,
  /** To the half minute. */
  lastUsedAt: timestamp,
  /** The end at the latest. */
  expiresAt: timestamp,
  /** Whether this request belongs to it. */
  isThis: z.boolean(),
});
export type SignInPlace = z.infer<typeof SignInPlace>;

const signInId = z.string().regex(/^[\w-]{1,64}$/, 'This id is not valid');
const auth = routesOf('auth');

/** The auth service's routes for one's own sign-ins. */
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
