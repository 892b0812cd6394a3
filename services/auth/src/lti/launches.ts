import { randomBytes } from 'node:crypto';
import type { LtiLoginRequest, LtiPlace, LtiTool } from '@interview-prep/contracts/auth/lti';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { badRequest, conflict, forbidden, notFound, unauthorized } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { Types, trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { suspended } from '../sign-in/sign-in.ts';
import type { UserRecord } from '../users/model.ts';
import { claimNames, type LaunchClaims } from './claims.ts';
import type { Lti } from './lti.ts';
import { ltiIdentity, ltiPrefix, type StoredCourse, type StoredLaunch, type StoredPlatform } from './model.ts';
import { enterGroup } from './people.ts';
import { hashOf } from './platform-client.ts';

/** How long a user may take at the platform. */
const lifetimeMs = 10 * 60_000;
/** How long a coach may take to choose or create an assignment. */
const choiceMs = 60 * 60_000;

const over = () => unauthorized('This launch has ended. Please open the activity in your course again.');
const newSecret = () => randomBytes(32).toString('base64url');

/** The URLs to configure in a platform. */
export function toolOf(publicUrl: string): LtiTool {
  const at = (path: string) => `${publicUrl}/api/auth/lti/${path}`;
  return { loginUrl: at('login'), launchUrl: at('launch'), deepLinkUrl: at('content'), keysUrl: at('keys') };
}

/**
 * Begins a launch that the platform initiated.
 * @returns the platform's page to redirect to, the window's secret, and the values that a frame needs
 * @throws HttpError 404 for a platform that is not registered
 */
export async function beginLaunch({ lti, publicUrl }: Auth, request: LtiLoginRequest) {
  const { iss: issuer, client_id: clientId } = request;
  const found = await lti.platforms
    .find({ issuer, ...(clientId ? { clientId } : {}) })
    .limit(2)
    .lean();
  const [platform] = found;
  if (!platform || found.length > 1) throw notFound('This learning platform is not registered here.');
  const { loginUrl, launchUrl, deepLinkUrl } = toolOf(publicUrl);
  const [attempt, state, nonce, frame] = [newSecret(), newSecret(), newSecret(), newSecret()];
  await lti.launches.create({
    _id: hashOf(attempt),
    platformId: platform._id,
    stateHash: hashOf(state),
    nonce,
    ...(request.frame ? { frameHash: request.frame } : {}),
    expiresAt: new Date(Date.now() + lifetimeMs),
  });
  const url = new URL(platform.authorizationUrl);
  const query = {
    scope: 'openid',
    response_type: 'id_token',
    response_mode: 'form_post',
    prompt: 'none',
    client_id: platform.clientId,
    redirect_uri: launchUrl,
    login_hint: request.login_hint,
    ...(request.lti_message_hint ? { lti_message_hint: request.lti_message_hint } : {}),
    state,
    nonce,
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const link = new URL(loginUrl);
  for (const [name, value] of Object.entries(request))
    if (typeof value === 'string') link.searchParams.set(name, value);
  link.searchParams.set('frame', hashOf(frame));
  return { attempt, url: url.href, link: link.href, frame, waits: request.target_link_uri === deepLinkUrl };
}

/**
 * Accepts a platform's response, once.
 * @throws HttpError 401 if it is invalid, 503 while the platform's keys can't be fetched
 */
export async function takeAnswer(
  { lti }: Auth,
  { state, id_token: idToken, error }: { state: string; id_token?: string | undefined; error?: string | undefined },
): Promise<void> {
  const open = { stateHash: hashOf(state), answeredAt: null, expiresAt: trusted({ $gt: new Date() }) };
  const launch = await lti.launches.findOneAndUpdate(open, { $set: { answeredAt: new Date() } }).lean<StoredLaunch>();
  if (!launch) throw over();
  const platform = await lti.platforms.findById(launch.platformId).lean<StoredPlatform>();
  if (!platform) throw over();
  if (idToken === undefined) {
    throw unauthorized(
      `${platform.name} did not sign you in${error === 'login_required' ? ': sign in there first' : ''}.`,
    );
  }
  const claims = await lti.client.verifyLaunch(platform, idToken, launch.nonce);
  await lti.launches.updateOne({ _id: launch._id }, { $set: { claims: JSON.stringify(claims) } });
}

interface ArrivedLaunch {
  launch: StoredLaunch;
  claims: LaunchClaims;
  platform: StoredPlatform;
}

/** Claims the launch of a window, once. @throws HttpError 401 */
export async function takeLaunch({ lti }: Auth, attempt: string): Promise<ArrivedLaunch> {
  const launch = await lti.launches
    .findOneAndUpdate(
      {
        _id: hashOf(attempt),
        claims: trusted({ $exists: true }),
        finishedAt: null,
        expiresAt: trusted({ $gt: new Date() }),
      },
      { $set: { finishedAt: new Date() } },
    )
    .lean<StoredLaunch>();
  const platform = launch && (await lti.platforms.findById(launch.platformId).lean<StoredPlatform>());
  if (!launch || !platform) throw over();
  return { launch, platform, claims: JSON.parse(launch.claims ?? '') as LaunchClaims };
}

/** Releases an unfinished launch, so that the user can link an account first. */
export async function giveBack({ lti }: Auth, { launch }: ArrivedLaunch): Promise<void> {
  const expiresAt = new Date(Date.now() + lifetimeMs);
  await lti.launches.updateOne({ _id: launch._id }, { $set: { expiresAt }, $unset: { finishedAt: 1 } });
}

/** Links the account of a launch to a user. @throws HttpError 409 if it belongs to another user, or the user has another one */
export async function linkAccount(
  { users, locks }: Auth,
  userId: string,
  { platform, claims }: ArrivedLaunch,
): Promise<void> {
  const key = ltiIdentity(platform, claims.sub);
  await locks.run('ways-in', async () => {
    const user = await users.findOne({ _id: userId, deletedAt: null }).orFail().lean();
    const { identities = [] } = user;
    if (identities.includes(key)) return;
    if (identities.some((each) => each.startsWith(ltiPrefix(platform.issuer))))
      throw conflict(`Another account of ${platform.name} is linked to this user already.`);
    try {
      await users.updateOne({ _id: user._id, deletedAt: null }, { $set: { identities: [...identities, key] } });
    } catch (error) {
      throw isDuplicateKey(error) ? conflict(`This account of ${platform.name} signs in another user.`) : error;
    }
  });
}

/** The course of a launch. A teacher's first launch creates it along with its group. @throws HttpError 409 before that */
async function courseOf({ lti }: Auth, { platform, claims }: ArrivedLaunch): Promise<StoredCourse> {
  const { deploymentId, context, membershipsUrl, role } = claims;
  const key = { platformId: platform._id, deploymentId, contextId: context.id };
  const title = (context.title || context.label || 'Course').trim().slice(0, 100) || 'Course';
  const $set = { title, ...(membershipsUrl ? { membershipsUrl } : {}) };
  const update = () => lti.courses.findOneAndUpdate(key, { $set }, { returnDocument: 'after' }).lean<StoredCourse>();
  const known = await update();
  if (known) return known;
  if (role !== 'coach')
    throw conflict('Your teacher has not set up this course here yet. Ask them to open this activity first.');
  try {
    return (await lti.courses.create({ ...key, ...$set, groupId: new Types.ObjectId().toHexString() })).toObject();
  } catch (error) {
    const other = isDuplicateKey(error) ? await update() : null;
    if (!other) throw error;
    return other;
  }
}

/**
 * Adds the user of a launch to its course's group, and determines where the launch leads.
 * @throws HttpError 403 for users who are neither teachers nor students of the course, 409 for an archived group
 */
export async function enterCourse(auth: Auth, user: UserRecord, arrived: ArrivedLaunch): Promise<LtiPlace> {
  const { lti } = auth;
  const { launch, claims } = arrived;
  const { role, isDeepLinking, returnTo } = claims;
  if (user.suspendedAt) throw suspended();
  if (role === null) throw forbidden('This is for teachers and students of the course.');
  if (isDeepLinking && role !== 'coach') throw forbidden('Only teachers of the course may choose an assignment.');
  if (isDeepLinking && !returnTo?.accept_types.includes('ltiResourceLink'))
    throw badRequest('Your course takes no activities here. Add an external tool instead.');
  const userId = String(user._id);
  const course = await courseOf(auth, arrived);
  const { group } = await enterGroup(auth, course, [{ userId, role }]);
  const isCoach = group.people.some((person) => person.userId === userId && person.role === 'coach');
  const link = isDeepLinking ? null : await linkOf(lti, course, claims);
  const assignmentId = link?.assignmentId ?? null;
  await lti.launches.updateOne(
    { _id: launch._id },
    {
      $set: { userId, courseId: course._id, linkId: link?._id ?? null, expiresAt: new Date(Date.now() + choiceMs) },
    },
  );
  const [ofCoach, ofMember] =
    assignmentId === null ? (['choose', 'nothing-chosen'] as const) : (['roster', 'work'] as const);
  const returnedBy = isDeepLinking ? (launch.frameHash ? 'frame' : 'window') : null;
  const kind = isCoach ? ofCoach : ofMember;
  return { kind, courseTitle: course.title, groupId: course.groupId, assignmentId, returnedBy };
}

/** Stores the activity of a launch. If deep linking created it, the launch names its assignment; else the coach's choice stays. */
async function linkOf(lti: Lti, { _id: courseId }: StoredCourse, claims: LaunchClaims) {
  const { resourceLink, assignmentId, lineItemUrl } = claims;
  const key = { courseId, resourceLinkId: resourceLink?.id ?? '' };
  const before = await lti.links.findOne(key).lean();
  const $set = {
    title: (resourceLink?.title ?? '').slice(0, 200),
    ...(assignmentId ? { assignmentId } : {}),
    ...(lineItemUrl ? { lineItemUrl } : {}),
  };
  const link = await lti.links
    .findOneAndUpdate(key, { $set }, { upsert: true, returnDocument: 'after' })
    .lean()
    .orFail();
  const isNew = before?.assignmentId !== link.assignmentId || before?.lineItemUrl !== link.lineItemUrl;
  // Members may have done the work before the activity existed.
  if (isNew && link.assignmentId && link.lineItemUrl) await lti.askForScores(link.assignmentId);
  return link;
}

/** The finished launch of a signed-in coach. @throws HttpError 403 for anyone else */
async function ownLaunch(auth: Auth, attempt: string, user: TokenClaims) {
  const { lti, groups } = auth;
  const launch = await lti.launches
    .findOne({ _id: hashOf(attempt), userId: user.sub, expiresAt: trusted({ $gt: new Date() }) })
    .lean<StoredLaunch>();
  const course = launch && (await lti.courses.findById(launch.courseId).lean<StoredCourse>());
  if (!launch || !course) throw forbidden('This launch has ended. Please open the activity in your course again.');
  await groups.requireCoach(course.groupId, user);
  return { launch, course };
}

/** Links the activity of a launch to an assignment. */
export async function choose(
  auth: Auth,
  { attempt, assignmentId, title }: { attempt: string; assignmentId: string; title: string },
  user: TokenClaims,
): Promise<LtiPlace> {
  const { lti } = auth;
  const { launch, course } = await ownLaunch(auth, attempt, user);
  const { linkId } = launch;
  if (linkId) {
    const link = await lti.links.findOneAndUpdate({ _id: linkId }, { $set: { assignmentId } }).lean();
    if (link?.lineItemUrl) await lti.askForScores(assignmentId);
  } else {
    const chosen = { assignmentId, title };
    await lti.launches.updateOne(
      { _id: launch._id },
      { $set: { chosen, expiresAt: new Date(Date.now() + lifetimeMs) } },
    );
  }
  const { title: courseTitle, groupId } = course;
  const returnedBy = linkId ? null : launch.frameHash ? 'frame' : 'window';
  return { kind: 'roster', courseTitle, groupId, assignmentId, returnedBy };
}

/** The signed deep-linking response and its return URL; null until the coach has chosen. */
export async function contentFor(
  { lti, publicUrl }: Auth,
  by: { attempt?: string | undefined; frame?: string | undefined },
): Promise<{ url: string; jwt: string } | null> {
  const key = by.attempt ? { _id: hashOf(by.attempt) } : by.frame ? { frameHash: hashOf(by.frame) } : null;
  const open = { chosen: trusted({ $exists: true }), expiresAt: trusted({ $gt: new Date() }) };
  const launch = key && (await lti.launches.findOne({ ...key, ...open }).lean<StoredLaunch>());
  const platform = launch && (await lti.platforms.findById(launch.platformId).lean<StoredPlatform>());
  if (!launch?.chosen || !platform) return null;
  const { deploymentId, returnTo } = JSON.parse(launch.claims ?? '') as LaunchClaims;
  if (!returnTo) return null;
  const { assignmentId, title } = launch.chosen;
  // Source: LTI Deep Linking 2.0, section 4.5.
  const item = {
    type: 'ltiResourceLink',
    title,
    url: toolOf(publicUrl).launchUrl,
    custom: { assignment: assignmentId },
    lineItem: { scoreMaximum: 100, label: title, resourceId: assignmentId },
    window: { targetName: '_blank' },
  };
  const jwt = await lti.client.sign(
    {
      nonce: newSecret(),
      [claimNames.messageType]: 'LtiDeepLinkingResponse',
      [claimNames.version]: '1.3.0',
      [claimNames.deploymentId]: deploymentId,
      [claimNames.contentItems]: [item],
      ...(returnTo.data === undefined ? {} : { [claimNames.data]: returnTo.data }),
    },
    platform.clientId,
    platform.issuer,
  );
  return { url: returnTo.deep_link_return_url, jwt };
}
