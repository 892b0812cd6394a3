import { z } from 'zod';
import { idParams, objectId, requiredText, timestamp } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';
import { SignInAnswer } from './users.ts';
import { WebhookDelivery } from './webhooks.ts';

/** How many of a course's most recent scores are listed. */
export const shownScoresMax = 50;

/** The addresses of this product to enter in a learning platform (Moodle, Canvas). */
export const LtiTool = z.object({
  loginUrl: z.string(),
  /** Also the redirect URI. */
  launchUrl: z.string(),
  deepLinkUrl: z.string(),
  keysUrl: z.string(),
});
export type LtiTool = z.infer<typeof LtiTool>;

const address = (label: string) =>
  z
    .url({ protocol: /^https?$/, error: `${label} must be an address that begins with https://` })
    .max(2000, `${label} must be at most 2,000 characters`);

const registration = {
  name: requiredText('Name', limits.nameMaxLength),
  issuer: address('Platform ID').describe('The issuer of its launches.'),
  clientId: requiredText('Client ID', 255),
  authorizationUrl: address('Authentication request URL'),
  tokenUrl: address('Access token URL'),
  keysUrl: address('Public keyset URL'),
  deploymentIds: z
    .array(requiredText('Deployment ID', 255), 'Please enter at least one deployment ID')
    .min(1, 'Please enter at least one deployment ID')
    .max(100, 'Please enter at most 100 deployment IDs'),
};
const NewLtiPlatform = z.object(registration);

/** A learning platform that an admin has registered. */
export const LtiPlatform = z.object({
  id: z.string(),
  ...registration,
  createdAt: timestamp,
  courseCount: z.number().int(),
});
export type LtiPlatform = z.infer<typeof LtiPlatform>;

/** The result of the last update of a course's members. `endedAt` is null while it runs. */
export const LtiMemberUpdate = z.object({
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
  /** People added to the group. */
  added: z.number().int(),
  /** People who were already in the group. */
  known: z.number().int(),
  /** People who couldn't be added, with reasons. */
  skipped: z.array(z.object({ who: z.string(), reason: z.string() })),
  /** The error that ended it early; null otherwise. */
  fault: z.string().nullable(),
});
export type LtiMemberUpdate = z.infer<typeof LtiMemberUpdate>;

/** A course of a platform, with its linked group. */
export const LtiCourse = z.object({
  id: z.string(),
  title: z.string(),
  platformName: z.string(),
  group: z.object({ id: z.string(), name: z.string() }),
  /** Whether the platform shares the course's member list. */
  tellsMembers: z.boolean(),
  memberUpdate: LtiMemberUpdate.nullable(),
  /** How many of its activities are linked to an assignment. */
  linkCount: z.number().int(),
  /** How many scores could not be delivered to the platform and won't be retried. */
  failedScores: z.number().int(),
});
export type LtiCourse = z.infer<typeof LtiCourse>;

/** A score to be written to a course's gradebook. */
export const LtiScore = WebhookDelivery.pick({
  id: true,
  state: true,
  createdAt: true,
  attempts: true,
  lastAt: true,
  nextAt: true,
  outcome: true,
}).extend({ email: z.string(), title: z.string(), score: z.number() });
export type LtiScore = z.infer<typeof LtiScore>;

/**
 * Where a launch leads: a member's work, a coach's roster, the choice of an assignment, or nowhere if none was chosen yet.
 * `returnedBy` says where the choice is returned to a platform that requested content: from the window where it was made,
 * or from the platform's frame that waits for it. Null if the platform did not request content.
 */
export const LtiPlace = z.object({
  kind: z.enum(['work', 'roster', 'choose', 'nothing-chosen']),
  courseTitle: z.string(),
  groupId: z.string(),
  assignmentId: z.string().nullable(),
  returnedBy: z.enum(['window', 'frame']).nullable(),
});
export type LtiPlace = z.infer<typeof LtiPlace>;

const over = 'This launch has ended. Please open the activity in your course again.';
const launched = z.string(over).trim().min(1, over).max(200, over);
const Attempt = z.object({ attempt: launched.describe('The secret of the window that the launch was begun in.') });

/** A parameter from the platform. Not trimmed: it may be sent back, which must be exactly as it came. */
const given = z.string().max(4096);
/** The login request that starts a launch. Source: 1EdTech Security Framework 1.0, section 5.1.1.1. */
const LoginRequest = z.object({
  iss: given.min(1),
  login_hint: given.min(1),
  target_link_uri: given.min(1),
  lti_message_hint: given.optional(),
  client_id: given.optional(),
  lti_deployment_id: given.optional(),
  frame: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional()
    .describe('The frame of the platform that waits for what is chosen; SHA-256 of its secret.'),
});
export type LtiLoginRequest = z.infer<typeof LoginRequest>;

const auth = routesOf('auth');
const html = { streams: ['text/html'], status: 200 } as const;
const courseResult = z.object({ course: LtiCourse });

/** LTI 1.3: courses of learning platforms open assignments and receive members' scores. */
export const ltiRoutes = {
  ltiKeys: auth.get('/api/auth/lti/keys', 'anyone', {
    summary: 'The public keys that verify what this product sends to learning platforms',
    description: 'A JWKS, separate from the keys of access tokens.',
    result: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
  beginLtiLogin: auth.post('/api/auth/lti/login', 'anyone', {
    ...html,
    summary: 'Start a launch',
    description:
      'Third-party-initiated login of OpenID Connect: a platform sends the browser here. Returns a page that continues to the platform; in a frame it offers a new window.',
    accepts: 'form',
    body: LoginRequest,
    errorStatuses: [404, 429],
  }),
  openLtiLogin: auth.get('/api/auth/lti/login', 'anyone', {
    ...html,
    summary: 'Start a launch by GET',
    description: 'Like the POST: platforms may use either, and a frame opens its new window here.',
    query: LoginRequest,
    errorStatuses: [404, 429],
  }),
  ltiLaunch: auth.post('/api/auth/lti/launch', 'anyone', {
    ...html,
    summary: 'Launch from a learning platform',
    description:
      "The redirect URI: a platform's page posts its ID token here. The token must be signed with the platform's keys and belong to a login started here; it can be used once. Returns a page that continues to the web app.",
    accepts: 'form',
    body: z.object({
      state: z.string(over).min(1, over).max(200, over),
      id_token: z.string(over).min(1, over).max(100_000, over).optional(),
      error: given.optional(),
      error_description: given.optional(),
    }),
    errorStatuses: [401, 429, 503],
    audit: { action: 'lti.launch' },
  }),
  finishLtiLaunch: auth.post('/api/auth/lti/finish', 'anyone', {
    summary: 'Sign in with a launch',
    description:
      "Only from the window that started it, and once. A new person gets an account with the role others and joins the course's group. 409 if the email already has a user, who has to sign in and link the platform's account with /api/auth/lti/link.",
    body: Attempt,
    result: z.object({ signIn: SignInAnswer, place: LtiPlace }),
    errorStatuses: [401, 403, 409, 429],
    audit: { action: 'sign-in.lti' },
  }),
  linkLti: auth.post('/api/auth/lti/link', 'signed-in', {
    summary: "Link a platform's account to one's own, and continue the launch",
    description: 'Requires a fresh sign-in. Launches from that account then sign in this user.',
    body: Attempt,
    result: z.object({ place: LtiPlace }),
    errorStatuses: [403, 409],
    audit: { action: 'identity.link' },
  }),
  chooseLtiContent: auth.post('/api/auth/lti/choose', 'signed-in', {
    summary: 'Choose the assignment that an activity of a course opens',
    description:
      'For coaches, after their own launch. If the platform requested content (deep linking), /api/auth/lti/return then returns it to the platform.',
    body: Attempt.extend({
      assignmentId: objectId.toLowerCase(),
      title: requiredText('Title', limits.titleMaxLength),
    }),
    result: z.object({ place: LtiPlace }),
    errorStatuses: [403, 409],
    audit: { action: 'lti.choose' },
  }),
  returnLtiContent: auth.post('/api/auth/lti/return', 'anyone', {
    ...html,
    summary: 'Return the choice to the platform',
    description:
      'A page that posts the signed choice to the platform. Requested by the window with the choice, or by the waiting frame, which gets 204 until then.',
    accepts: 'form',
    body: z.object({ attempt: launched.optional(), frame: launched.optional() }),
    emptyStatuses: { 204: 'Nothing has been chosen yet' },
    errorStatuses: [429],
  }),
  listLtiPlatforms: auth.get('/api/auth/lti/platforms', 'admin', {
    summary: 'The learning platforms, sorted by name, and the addresses for registering this product',
    description: 'Contains no secrets: platforms are verified by their public keys.',
    result: z.object({ platforms: z.array(LtiPlatform), tool: LtiTool }),
  }),
  createLtiPlatform: auth.post('/api/auth/lti/platforms', 'admin', {
    summary: 'Register a learning platform',
    description:
      'Requires a fresh sign-in. The platform can sign in everyone who has an account there, except people whose account here was created another way. Addresses in private networks are rejected.',
    body: NewLtiPlatform,
    status: 201,
    result: z.object({ platform: LtiPlatform }),
    errorStatuses: [403, 409],
    audit: { action: 'lti-platform.create' },
  }),
  updateLtiPlatform: auth.put('/api/auth/lti/platforms/:id', 'admin', {
    summary: 'Change a learning platform',
    description: 'Requires a fresh sign-in. The issuer and the client ID cannot be changed.',
    params: idParams,
    body: NewLtiPlatform.omit({ issuer: true, clientId: true }),
    result: z.object({ platform: LtiPlatform }),
    errorStatuses: [403, 404, 409],
    audit: { action: 'lti-platform.update', target: 'lti-platform' },
  }),
  deleteLtiPlatform: auth.delete('/api/auth/lti/platforms/:id', 'admin', {
    summary: 'Delete a learning platform',
    description:
      'Also deletes its courses and their scores. Groups, members and assignments are kept; people who signed in with it can set a password with "Forgot your password?".',
    params: idParams,
    errorStatuses: [403, 404],
    audit: { action: 'lti-platform.delete', target: 'lti-platform' },
  }),
  listLtiCourses: auth.get('/api/auth/lti/courses', 'signed-in', {
    summary: 'The courses whose groups one coaches; all courses for admins',
    description: 'Sorted by title, each with the result of its last member update.',
    result: z.object({ courses: z.array(LtiCourse) }),
  }),
  updateLtiMembers: auth.post('/api/auth/lti/courses/:id/members', 'signed-in', {
    summary: "Add a course's people to its group",
    description:
      'For coaches of the group and admins. Sends no mails and removes nobody. The course reports the progress.',
    params: idParams,
    status: 202,
    result: courseResult,
    errorStatuses: [403, 404, 409],
    audit: { action: 'lti.members', target: 'lti-course' },
  }),
  listLtiScores: auth.get('/api/auth/lti/courses/:id/scores', 'signed-in', {
    summary: 'The scores that were sent to a course',
    description: `The newest ${shownScoresMax}, for coaches of the group and admins.`,
    params: idParams,
    result: z.object({ scores: z.array(LtiScore) }),
    errorStatuses: [403, 404],
  }),
  resendLtiScore: auth.post('/api/auth/lti/courses/:id/scores/:scoreId', 'signed-in', {
    summary: 'Send a score to its course again',
    description: 'Immediately, with a full set of retries. For coaches of the group and admins.',
    params: idParams.extend({ scoreId: objectId }),
    status: 202,
    result: z.object({ score: LtiScore }),
    errorStatuses: [403, 404],
    audit: { action: 'lti.score', target: 'lti-course' },
  }),
};
