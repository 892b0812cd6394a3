import { z } from 'zod';
import { Message } from '../api/error-body.ts';
import { deliverableEmail, email, idParams, newPassword, slug, timestamp } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';
import { ApiScope } from '../api/scopes.ts';
import { PasswordLink } from './password-link.ts';
import { planIds } from './plans.ts';
import { SecondFactorStep } from './second-factor-step.ts';

/** The three roles. Users created by an admin get `dev`, users of Google or another provider get `others`. */
export const Role = z.enum(['admin', 'dev', 'others']);
export type Role = z.infer<typeof Role>;

/** A user in the API: without the password or its hash. `technologies` holds slugs. */
export const User = z.object({
  id: z.string(),
  email: z.string(),
  /** Set by an admin or the user; absent if not set. */
  name: z.string().optional(),
  role: Role,
  technologies: z.array(z.string()),
  plan: z.enum(planIds),
  /** Whether to email the user when a person has reviewed an answer of theirs; defaults to no. */
  reviewMail: z.boolean().optional(),
  /** For admins and coaches: whether to email the user when an answer is waiting for review; defaults to no. */
  appealMail: z.boolean().optional(),
  /** Whether to email the user about assigned work; defaults to yes. */
  assignmentMail: z.boolean().optional(),
  createdAt: timestamp,
  lastLogin: timestamp.nullable(),
  /** The time of suspension; absent if not suspended. */
  suspendedAt: timestamp.optional(),
  /** The version for If-Match. */
  version: z.string().optional(),
});
export type User = z.infer<typeof User>;

/** A user in the admins' list, with the last use of a sign-in; null for never. */
export const ListedUser = User.extend({ lastSeen: timestamp.nullable() });
export type ListedUser = z.infer<typeof ListedUser>;

/** The response to a sign-in: the user with an access token. */
export const SignedInUser = User.extend({ token: z.string() });
export type SignedInUser = z.infer<typeof SignedInUser>;

/** The response to a sign-in: the user with a token, or the missing step. */
export const SignInAnswer = z.union([z.object({ user: SignedInUser }), z.object({ secondFactor: SecondFactorStep })]);
export type SignInAnswer = z.infer<typeof SignInAnswer>;

/** The claims of an access token; `lastLogin` is the time of the sign-in that issued it. */
export const TokenClaims = z.object({
  sub: z.string(),
  email: z.string(),
  role: Role,
  lastLogin: timestamp.nullable(),
  jti: z.string(),
  /** Seconds since 1970, with milliseconds as the fraction: the denylist compares to the millisecond. */
  iat: z.number(),
  exp: z.number(),
  /** The key that signed the token. Verifiers take it from the header, never from the claims. */
  kid: z.string().optional(),
  /** Idle timeout of the sign-in in seconds; absent without one. */
  idle: z.number().int().positive().optional(),
  /** For an API key's token: the granted scopes. */
  scopes: z.array(ApiScope).optional(),
});
export type TokenClaims = z.infer<typeof TokenClaims>;

export const Credentials = z.object({
  email,
  password: z.string('Password is required').min(1, 'Password is required').max(1000, 'Password is too long'),
});

const googleFailed = 'Google authentication failed';

/** The access token that Google's script gave the page. */
export const GoogleToken = z.object({
  accessToken: z.string(googleFailed).min(1, googleFailed).max(4096, googleFailed),
});

const registerMessage = 'Please fill in all required fields and select at least one technology';

/** A developer user created by an admin. Without a password the user is invited. A role in the body is ignored: it is always `dev`. */
export const NewDeveloper = z.object({
  email: deliverableEmail(registerMessage),
  password: newPassword(registerMessage).optional(),
  technologies: z.array(slug, registerMessage).min(1, registerMessage).max(100, 'Too many technologies'),
});

/** A user's technologies, as slugs. Users can choose up to 3 themselves; an admin may set more. */
export const UserTechnologies = z.object({
  technologies: z
    .array(slug, 'Please select at least one technology')
    .min(1, 'Please select at least one technology')
    .max(100, 'Too many technologies'),
});

/** A person's name; blank removes it. */
export const personName = z.string('Name must be text').max(100, 'Name must be at most 100 characters').trim();

/** How many technologies users can choose for themselves. */
export const ownTechnologiesMax = limits.technologiesPerUser;

export const SubscribedPlan = z.object({ plan: z.enum(planIds, 'Please choose a plan') });

/** An AES-256-GCM key: 32 random bytes as base64url. */
const DraftKey = z.string().regex(/^[\w-]{43}$/);

const auth = routesOf('auth');
const userResult = z.object({ user: User });

/** Auth routes. See docs/specification.md, section 7. */
export const userRoutes = {
  login: auth.post('/api/auth/login', 'anyone', {
    summary: 'Sign in with email and password',
    description:
      "Returns the user and an access token, or the second factor that is missing. An unknown email gets the same response as a wrong password, after the same time. Failed attempts are rate-limited per email and IP address, successful ones per account. 403 with the code passkey_required if the role requires a second factor and the user's only one is a passkey: the user has to sign in with it.",
    body: Credentials,
    result: SignInAnswer,
    errorStatuses: [401, 403, 429],
    audit: { action: 'sign-in' },
  }),
  googleSignIn: auth.post('/api/auth/google', 'anyone', {
    summary: 'Sign in with a Google access token',
    description:
      "Signs in the user who is linked to the token's Google account; the token must be issued for this product's client id. A new Google account creates a user with the role others. 409 if the email already has a user.",
    body: GoogleToken,
    result: SignInAnswer,
    errorStatuses: [401, 403, 409, 429, 501],
    audit: { action: 'sign-in.google' },
  }),
  register: auth.post('/api/auth/register', 'admin', {
    summary: 'Create a developer user',
    description:
      'The new user always gets the role dev, whatever the body says. Without a password the user gets a link to set one: by mail, or in the response if there is no mail server.',
    body: NewDeveloper,
    status: 201,
    result: userResult.extend({ passwordLink: PasswordLink.optional() }),
    errorStatuses: [409],
    audit: { action: 'user.create' },
  }),
  forgotPassword: auth.post('/api/auth/forgot-password', 'anyone', {
    summary: 'Request a password reset link by mail',
    description:
      'Sends a short-lived, single-use link for setting a new password. The response is the same for every email, so as not to reveal who has an account.',
    body: z.object({
      email: z
        .string('Please enter your email.')
        .max(limits.emailMaxLength, 'Email must be at most 254 characters')
        .trim()
        .toLowerCase()
        .min(1, 'Please enter your email.'),
    }),
    result: Message,
    errorStatuses: [429],
    audit: { action: 'password.reset-mail' },
  }),
  changePassword: auth.post('/api/auth/change-password', 'signed-in', {
    summary: "Change one's own password; revokes every other token",
    description:
      'Requires the current password, and for users with a second factor a fresh sign-in. Revokes all other tokens of the user and returns a new one.',
    body: z.object({
      currentPassword: z
        .string('Current password is required')
        .min(1, 'Current password is required')
        .max(1000, 'Current password is incorrect'),
      newPassword: newPassword(),
    }),
    result: Message.extend({ token: z.string().optional() }),
    errorStatuses: [429],
    audit: { action: 'password.change' },
  }),
  me: auth.get('/api/auth/me', 'signed-in', {
    summary: 'The signed-in user',
    description: "The token's user, with current data. sendsMail: whether a mail server is configured.",
    result: userResult.extend({ sendsMail: z.boolean() }),
  }),
  draftKey: auth.get('/api/auth/draft-key', 'signed-in', {
    summary: "The key that encrypts one's unsent answers in the browser",
    description:
      "Only the user's own key. It is created on the first call, never changes, and is deleted with the account. The page keeps it in memory.",
    result: z.object({ key: DraftKey }),
  }),
  logout: auth.post('/api/auth/logout', 'signed-in', {
    summary: 'Sign out: revoke this token',
    description: 'Revokes the token at once, in every service.',
    audit: { action: 'sign-out' },
  }),
  subscribe: auth.post('/api/auth/subscribe', 'signed-in', {
    summary: 'Save the chosen plan; nobody is charged',
    description: 'Stores the plan with the user.',
    body: SubscribedPlan,
    result: userResult,
  }),
  chooseMails: auth.put('/api/auth/mails', 'signed-in', {
    summary: 'Set email preferences',
    description:
      'reviewMail: when an answer with a requested review has been reviewed. appealMail, for admins and coaches: when an answer awaits review; for coaches, one of their groups. Both are off by default. assignmentMail: about new and changed work, and 48 and 2 hours before it is due; on by default. Absent fields stay unchanged.',
    body: z
      .object({
        reviewMail: z.boolean('Please choose yes or no').optional(),
        appealMail: z.boolean('Please choose yes or no').optional(),
        assignmentMail: z.boolean('Please choose yes or no').optional(),
      })
      .refine((chosen) => Object.keys(chosen).length > 0, { path: ['reviewMail'], message: 'Please choose yes or no' }),
    result: userResult,
    errorStatuses: [403],
  }),
  deleteAccount: auth.post('/api/auth/delete-account', 'signed-in', {
    summary: "Delete one's own account and all of its data",
    description:
      "Requires the password, or a sign-in within the last ten minutes. Revokes all tokens and deletes the sessions, recordings, transcripts and verdicts. The last admin can't be deleted.",
    body: z.object({
      password: z
        .string('Password is required')
        .min(1, 'Password is required')
        .max(1000, 'The password is incorrect')
        .optional(),
    }),
    errorStatuses: [403, 409, 429],
    audit: { action: 'account.delete' },
  }),
  jwks: auth.get('/api/auth/.well-known/jwks.json', 'anyone', {
    summary: 'The public keys that verify access tokens',
    description: 'A JSON Web Key Set, RFC 7517. Other services verify access tokens with it.',
    result: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
  newestUsers: auth.get('/api/users/newest', 'admin', {
    summary: 'The three newest users, and the number of new users in the last seven days',
    description: 'A preview; GET /api/users returns all.',
    result: z.object({ users: z.array(User), lastSevenDays: z.number().int() }),
  }),
  listUsers: auth.get('/api/users', 'admin', {
    summary: 'All users',
    description:
      'Users sorted by email, without passwords or hashes. Without limit, all of them; with it, a page with nextCursor for the next one.',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(200).optional(),
      cursor: z.string().max(400).optional(),
    }),
    result: z.object({ users: z.array(ListedUser), nextCursor: z.string().nullable() }),
    revalidated: true,
  }),
  updateUser: auth.put('/api/users/:id', 'signed-in', {
    summary: "Set a user's technologies and name: an admin anyone's, a user their own (at most 3 technologies)",
    description: 'Replaces the list of technologies. Each must be an existing slug. An absent name stays unchanged.',
    params: idParams,
    body: UserTechnologies.extend({ name: personName.optional() }),
    result: userResult,
    errorStatuses: [403, 404],
    versioned: true,
    audit: { action: 'user.update', target: 'user' },
  }),
  deleteUser: auth.delete('/api/users/:id', 'admin', {
    summary: 'Delete another user and all of their data',
    description:
      "Revokes the user's tokens and deletes their sessions, recordings, transcripts and verdicts. To delete one's own account, use POST /api/auth/delete-account.",
    params: idParams,
    errorStatuses: [400, 404, 409],
    audit: { action: 'user.delete', target: 'user' },
  }),
};
