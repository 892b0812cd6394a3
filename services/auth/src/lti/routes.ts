import {
  type LtiCourse,
  type LtiPlatform,
  type LtiScore,
  ltiRoutes,
  shownScoresMax,
} from '@interview-prep/contracts/auth/lti';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { conflict, invalidField, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { deliveryState } from '../outbound/deliver-due.ts';
import { requirePublic } from '../outbound/outbound-request.ts';
import { toolOf } from './launches.ts';
import { ltiPrefix, type StoredCourse, type StoredPlatform, type StoredScore } from './model.ts';
import { updateMembers } from './update-members.ts';

/** A member update running longer than this is presumed dead. */
const updateMaxMs = 10 * 60_000;

type Addresses = Pick<StoredPlatform, 'authorizationUrl' | 'tokenUrl' | 'keysUrl'>;

export function serveLti(server: RouteServer, auth: Auth): void {
  const { lti, users, groups, requireFreshSignIn } = auth;

  const presentPlatform = async ({ _id, createdAt, ...platform }: StoredPlatform): Promise<LtiPlatform> => ({
    ...platform,
    id: String(_id),
    createdAt: createdAt.toISOString(),
    courseCount: await lti.courses.countDocuments({ platformId: _id }),
  });
  /** @param id the platform being changed; null for a new one. @throws HttpError 400 */
  const requireUsable = async (given: Addresses & { issuer: string }, id: string | null) => {
    for (const path of ['authorizationUrl', 'tokenUrl', 'keysUrl'] as const)
      await requirePublic(given[path], path, lti.networks);
    const others = await lti.platforms.find({ issuer: given.issuer, _id: trusted({ $ne: id }) }, 'keysUrl').lean();
    // Otherwise one platform could sign in the other's users.
    if (others.some(({ keysUrl }) => keysUrl !== given.keysUrl))
      throw invalidField('keysUrl', 'Another platform with this ID has another public keyset URL');
  };

  server.serve(ltiRoutes.listLtiPlatforms, async () => {
    const found = await lti.platforms.find().sort({ name: 1, _id: 1 }).lean();
    return { platforms: await Promise.all(found.map(presentPlatform)), tool: toolOf(auth.publicUrl) };
  });

  server.serve(ltiRoutes.createLtiPlatform, async ({ body, user, res }) => {
    requireFreshSignIn(user);
    await requireUsable(body, null);
    const platform = await lti.platforms.create({ ...body, createdAt: new Date() }).catch((error: unknown) => {
      throw isDuplicateKey(error) ? conflict('This platform and client ID are registered already') : error;
    });
    addToAudit(res, { target: `lti-platform:${platform._id}` });
    return { platform: await presentPlatform(platform.toObject()) };
  });

  server.serve(ltiRoutes.updateLtiPlatform, async ({ params, body, user }) => {
    requireFreshSignIn(user);
    const before = await lti.platforms.findById(params.id).lean();
    if (!before) throw notFound('Platform not found');
    await requireUsable({ ...body, issuer: before.issuer }, params.id);
    const changed = await lti.platforms
      .findOneAndUpdate({ _id: params.id }, { $set: body }, { returnDocument: 'after' })
      .lean<StoredPlatform>();
    if (!changed) throw notFound('Platform not found');
    return { platform: await presentPlatform(changed) };
  });

  server.serve(ltiRoutes.deleteLtiPlatform, async ({ params, user }) => {
    requireFreshSignIn(user);
    const platform = await lti.platforms.findOneAndDelete({ _id: params.id }).lean<StoredPlatform>();
    if (!platform) throw notFound('Platform not found');
    await lti.launches.deleteMany({ platformId: platform._id });
    for (const { _id } of await lti.courses.find({ platformId: platform._id }, '_id').lean())
      await lti.forgetCourse(_id);
    if (await lti.platforms.exists({ issuer: platform.issuer })) return null;
    // A later registration of the same issuer must not sign in this platform's users.
    const prefix = ltiPrefix(platform.issuer);
    const known = users.find({ identities: trusted({ $gte: prefix, $lt: `${prefix}\uffff` }) }, 'identities').lean();
    for await (const { _id, identities = [] } of known.cursor()) {
      const left = identities.filter((key) => !key.startsWith(prefix));
      await users.updateOne({ _id }, left.length > 0 ? { $set: { identities: left } } : { $unset: { identities: 1 } });
    }
    return null;
  });

  const presentCourse = async (course: StoredCourse): Promise<LtiCourse> => {
    const { _id, title, platformId, groupId, membershipsUrl, memberUpdate } = course;
    const [platform, group, linkCount, failedScores] = await Promise.all([
      lti.platforms.findById(platformId, 'name').lean(),
      groups.groups.findById(groupId, 'name').lean(),
      lti.links.countDocuments({ courseId: _id, assignmentId: trusted({ $ne: null }) }),
      lti.scores.countDocuments({ courseId: _id, deliveredAt: null, dueAt: null }),
    ]);
    return {
      id: String(_id),
      title,
      platformName: platform?.name ?? '',
      group: { id: groupId, name: group?.name ?? title },
      tellsMembers: membershipsUrl !== undefined,
      memberUpdate: memberUpdate
        ? {
            ...memberUpdate,
            startedAt: memberUpdate.startedAt.toISOString(),
            endedAt: memberUpdate.endedAt?.toISOString() ?? null,
          }
        : null,
      linkCount,
      failedScores,
    };
  };
  const requireCourse = async (id: string, user: TokenClaims) => {
    const course = await lti.courses.findById(id).lean<StoredCourse>();
    if (!course) throw notFound('Course not found');
    await groups.requireCoach(course.groupId, user);
    return course;
  };

  server.serve(ltiRoutes.listLtiCourses, async ({ user: { sub, role } }) => {
    const own = role === 'admin' ? [] : await groups.groups.find({ 'people.userId': sub }, 'people').lean();
    const coached = own.filter(({ people }) => people.some((one) => one.userId === sub && one.role === 'coach'));
    const filter = role === 'admin' ? {} : { groupId: trusted({ $in: coached.map(({ _id }) => String(_id)) }) };
    const found = await lti.courses.find(filter).sort({ title: 1, _id: 1 }).lean<StoredCourse[]>();
    return { courses: await Promise.all(found.map(presentCourse)) };
  });

  server.serve(ltiRoutes.updateLtiMembers, async ({ params, user }) => {
    const course = await requireCourse(params.id, user);
    const platform = await lti.platforms.findById(course.platformId).lean<StoredPlatform>();
    if (!platform || !course.membershipsUrl) throw conflict('This platform does not tell who is in the course');
    const startedAt = new Date();
    const before = course.memberUpdate;
    if (before && !before.endedAt && Number(startedAt) - Number(before.startedAt) < updateMaxMs)
      throw conflict('The members are being updated already');
    const memberUpdate = { startedAt, endedAt: null, added: 0, known: 0, skipped: [], fault: null };
    await lti.courses.updateOne({ _id: course._id }, { $set: { memberUpdate } });
    lti.inBackground(updateMembers(auth, course, platform, startedAt));
    return { course: await presentCourse({ ...course, memberUpdate }) };
  });

  const presentScores = async (found: readonly StoredScore[]): Promise<LtiScore[]> => {
    const ids = <Key extends 'userId' | 'linkId'>(key: Key) => [...new Set(found.map((score) => String(score[key])))];
    const [people, links] = await Promise.all([
      users.find({ _id: trusted({ $in: ids('userId') }) }, 'email').lean(),
      lti.links.find({ _id: trusted({ $in: ids('linkId') }) }, 'title').lean(),
    ]);
    const emails = new Map(people.map(({ _id, email }) => [String(_id), email]));
    const titles = new Map(links.map(({ _id, title }) => [String(_id), title]));
    return found.map((stored) => ({
      id: String(stored._id),
      email: emails.get(stored.userId) ?? '',
      title: titles.get(String(stored.linkId)) ?? '',
      score: stored.score,
      state: deliveryState(stored),
      createdAt: stored.scoredAt.toISOString(),
      attempts: stored.attempts,
      lastAt: stored.lastAt?.toISOString() ?? null,
      nextAt: stored.dueAt?.toISOString() ?? null,
      outcome: stored.outcome ?? null,
    }));
  };

  server.serve(ltiRoutes.listLtiScores, async ({ params, user }) => {
    const { _id: courseId } = await requireCourse(params.id, user);
    const found = await lti.scores
      .find({ courseId })
      .sort({ scoredAt: -1 })
      .limit(shownScoresMax)
      .lean<StoredScore[]>();
    return { scores: await presentScores(found) };
  });

  server.serve(ltiRoutes.resendLtiScore, async ({ params, user }) => {
    const { _id: courseId } = await requireCourse(params.id, user);
    const stored = await lti.scores
      .findOneAndUpdate(
        { _id: params.scoreId, courseId },
        { $set: { dueAt: new Date(), attempts: 0 }, $unset: { deliveredAt: 1 } },
        { returnDocument: 'after' },
      )
      .lean<StoredScore>();
    if (!stored) throw notFound('Score not found');
    lti.wake();
    const [score] = await presentScores([stored]);
    if (!score) throw notFound('Score not found');
    return { score };
  });
}
