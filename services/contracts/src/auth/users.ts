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
      'Answers with the user and an access token, or with the second factor that is missing. The answer to an unknown email is the same as to a wrong password, and takes as long. Failed attempts are limited for each email and address, and successful ones for each account. Where the role needs a second factor and the user has a passkey alone, 403 with the code passkey_required: the user signs in with the passkey.',
    body: Credentials,
    result: SignInAnswer,
    errorStatuses: [401, 403, 429],
    audit: { action: 'sign-in' },
  }),
  googleSignIn: auth.post('/api/auth/google', 'anyone', {
    summary: 'Sign in with a Google access token',
    description:
      "Signs in the user whom the Google account of an access token is linked to; the token must be issued for this product's client id. A new account makes a user with the role others. An email that has a user already is refused with 409.",
    body: GoogleToken,
    result: SignInAnswer,
    errorStatuses: [401, 403, 409, 429, 501],
    audit: { action: 'sign-in.google' },
  }),
  register: auth.post('/api/auth/register', 'admin', {
    summary: 'Create a developer user',
    description:
      'The new user always gets the role dev, whatever the body says. Without a password they get a link with which they set one: by mail, or in the answer where there is no mail server.',
    body: NewDeveloper,
    status: 201,
    result: userResult.extend({ passwordLink: PasswordLink.optional() }),
    errorStatuses: [409],
    audit: { action: 'user.create' },
  }),
  forgotPassword: auth.post('/api/auth/forgot-password', 'anyone', {
    summary: 'Ask for a password reset link by mail',
    description:
      'Sends a link that sets a new password, valid for a short time and once. The answer is the same for every email, so that nobody learns who has an account.',
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
      'Needs the current password, and of a user with a second factor a fresh sign-in. Revokes every other token of the user, and answers with a new one.',
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
    description: 'The user of the token, as they are now. sendsMail: whether the product has a mail server.',
    result: userResult.extend({ sendsMail: z.boolean() }),
  }),
  draftKey: auth.get('/api/auth/draft-key', 'signed-in', {
    summary: "The key that encrypts one's unsent answers in the browser",
    description:
      "One's own key alone; nobody reads another user's. It is made at the first call, stays the same, and ends with the account. The page keeps it in memory.",
    result: z.object({ key: DraftKey }),
  }),
  logout: auth.post('/api/auth/logout', 'signed-in', {
    summary: 'Sign out: revoke this token',
    description: 'Revokes the token at once, in every service.',
    audit: { action: 'sign-out' },
  }),
  subscribe: auth.post('/api/auth/subscribe', 'signed-in', {
    summary: 'Record the chosen plan; no money moves',
    description: 'Stores the plan with the user.',
    body: SubscribedPlan,
    result: userResult,
  }),
  chooseMails: auth.put('/api/auth/mails', 'signed-in', {
    summary: 'Choose which mails to get',
    description:
      'reviewMail: a mail when a person has judged an answer whose verdict one has appealed. appealMail, for admins and coaches: a mail when an answer waits for a person, of coaches in their group. Both are off until they are chosen. assignmentMail: mails about new and changed work, and 48 and 2 hours before it is due; on until it is turned off. What is left out stays.',
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
    summary: "Delete one's own account with everything that is one's own",
    description:
      'Needs the password, or a sign-in of the last ten minutes. Revokes all tokens and deletes the sessions, recordings, transcripts and verdicts. The only admin cannot.',
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
    summary: 'The three newest users, and how many there are of the last seven days',
    description: 'For a first look; GET /api/users has all.',
    result: z.object({ users: z.array(User), lastSevenDays: z.number().int() }),
  }),
  listUsers: auth.get('/api/users', 'admin', {
    summary: 'All users',
    description:
      'Users by email, without passwords or hashes. Without limit all of them; with it a page, whose nextCursor continues.',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(200).optional(),
      cursor: z.string().max(400).optional(),
    }),
    result: z.object({ users: z.array(ListedUser), nextCursor: z.string().nullable() }),
    revalidated: true,
  }),
  updateUser: auth.put('/api/users/:id', 'signed-in', {
    summary: "Set a user's technologies and name: an admin anyone's, a user their own (at most 3 technologies)",
    description:
      'Replaces the list of technologies. Each must be the slug of a technology that exists. A name that is left out stays.',
    params: idParams,
    body: UserTechnologies.extend({ name: personName.optional() }),
    result: userResult,
    errorStatuses: [403, 404],
    versioned: true,
    audit: { action: 'user.update', target: 'user' },
  }),
  deleteUser: auth.delete('/api/users/:id', 'admin', {
    summary: 'Delete another user with everything that is theirs',
    description:
      "Revokes the user's tokens and deletes their sessions, recordings, transcripts and verdicts. One's own account is deleted by POST /api/auth/delete-account.",
    params: idParams,
    errorStatuses: [400, 404, 409],
    audit: { action: 'user.delete', target: 'user' },
  }),
};
