import { createHash, randomBytes } from 'node:crypto';
import { isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import { type GuestFeedback, guestFeedbackMax } from '@interview-prep/contracts/recording/guest-feedback';
import { newestTakes } from '@interview-prep/contracts/recording/newest-takes';
import type { NewReview } from '@interview-prep/contracts/recording/reviews';
import {
  listedSharesMax,
  type Share,
  shareLimits,
  shareRoutes,
  sharesMax,
} from '@interview-prep/contracts/recording/shares';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { conflict, forbidden, invalidField, notFound } from '@interview-prep/kit/http/http-error';
import { enforceLimits, type RateLimits } from '@interview-prep/kit/http/rate-limits';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { MediaCookie, MediaTokens } from '@interview-prep/kit/tokens/media-tokens';
import type { Response } from 'express';
import { trusted } from 'mongoose';
import type { Recording } from '../recordings/model.ts';
import type { ReprocessDeps } from '../recordings/start-run.ts';
import { writeVerdict } from '../reviews/save-review.ts';
import type { Session } from '../sessions/model.ts';
import type { ShareLink } from './model.ts';
import { holderOf, presentShared } from './present-shared.ts';

/**
 * Stores a guest's feedback on an answer, separate from its verdict. Replaces earlier feedback given through the same link.
 * @throws HttpError 400 for a point that isn't in the verdict, 409 while the answer is processed
 */
async function saveGuestFeedback(
  recording: Recording,
  { points, reason, comments, correctnessPercentage }: NewReview,
  shareId: string,
  deps: Pick<ReprocessDeps, 'models' | 'outbox'>,
): Promise<void> {
  const judged = recording.assessment.points ?? [];
  if (points.some(({ point }) => point >= judged.length)) throw invalidField('points', 'The verdict has no such point');
  const feedback: GuestFeedback = {
    shareId,
    createdAt: new Date().toISOString(),
    correctnessPercentage,
    points: points.map(({ point, ...said }) => ({ ...said, text: judged[point]!.text })),
    reason,
    comments: comments.toSorted((a, b) => a.atMs - b.atMs),
  };
  const others = (recording.guestFeedback ?? []).filter((each) => each.shareId !== shareId);
  await writeVerdict(recording, { guestFeedback: [...others, feedback].slice(-guestFeedbackMax) }, deps);
}

export type ShareDeps = Pick<ReprocessDeps, 'models' | 'outbox'> & {
  mediaTokens: MediaTokens;
  mediaCookie: MediaCookie;
  limitRate: RateLimits;
  /** The setting SHARE_LINKS. */
  shareLinks: 'on' | 'off';
};

const minuteMs = 60_000;
const dayMs = 86_400_000;
const ended = 'This link does not work any more';
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
const now = () => trusted({ $gt: new Date() });

const presentShare = ({ _id, role, shows, createdAt, expiresAt }: ShareLink): Share => ({
  id: _id.toHexString(),
  role,
  shows,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

/** Routes for share links: owners and admins create and revoke them; anyone with the link can view, or leave feedback. */
export function serveShares(server: RouteServer, deps: ShareDeps): void {
  const { models, mediaTokens, mediaCookie, limitRate } = deps;
  const enabled = deps.shareLinks === 'on';
  // Key by the link that the handler found: made-up tokens must not add keys to Redis.
  const key = (_req: unknown, res: Response) => res.locals.shareId as string;
  const message = 'This link was used very often in a short time.';
  const callLimits = limitRate('share-calls', { limit: shareLimits.calls, windowMs: 15 * minuteMs, key, message });
  const feedbackLimits = limitRate('share-feedback', {
    limit: shareLimits.feedback,
    windowMs: 60 * minuteMs,
    key,
    message,
  });

  const findOwnSession = async (id: string, userId: string) => {
    const session = await models.sessions
      .findOne({ _id: id, userId, kind: 'interview' }, 'sessionId assignment')
      .lean();
    if (!session) throw notFound('Session not found');
    return session;
  };
  type LinkCall = Parameters<MediaCookie['allow']>[0];
  const findShare = async (token: string, { req, res }: LinkCall): Promise<ShareLink> => {
    res.set('X-Robots-Tag', 'noindex, nofollow');
    const share = enabled
      ? await models.shares.findOne({ tokenHash: hashOf(token), expiresAt: now() }).lean<ShareLink>()
      : null;
    if (!share) throw notFound(ended);
    const shareId = share._id.toHexString();
    res.locals.shareId = shareId;
    addToAudit(res, { details: { link: shareId, owner: share.userId } });
    await enforceLimits(callLimits, { req, res });
    return share;
  };
  const read = async ({ sessionId }: ShareLink) => {
    const session = await models.sessions.findOne({ sessionId }).lean<Session>();
    // The coach has hidden the feedback since.
    if (!session || !isFeedbackShown(session.assignment)) throw notFound(ended);
    const recordings = await models.recordings.find({ session: session._id }).lean<Recording[]>();
    return { session, recordings };
  };
  const present = async (share: ShareLink, call: LinkCall) => {
    const { session, recordings } = await read(share);
    const shared = presentShared(share, session, recordings, mediaTokens);
    const playable = shared.recordings.filter(({ audioUrl }) => audioUrl !== '');
    mediaCookie.allow(
      call,
      playable.map(({ _id }) => _id),
      holderOf(share),
    );
    return shared;
  };

  server.serve(shareRoutes.createShare, async ({ params, body, user }) => {
    if (!enabled) throw forbidden('Sharing by link is turned off');
    const { sessionId, assignment } = await findOwnSession(params.id, user.sub);
    if (!isFeedbackShown(assignment)) throw conflict('This interview can be shared once you see its feedback');
    const token = randomBytes(32).toString('base64url');
    const createdAt = new Date();
    const share = await models.shares.create({
      tokenHash: hashOf(token),
      sessionId,
      userId: user.sub,
      role: body.role,
      shows: body.role === 'review' ? { media: true, transcript: true, verdicts: true } : body.shows,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + body.days * dayMs),
    });
    // Count after the insert, so that concurrent requests can't exceed the limit.
    if ((await models.shares.countDocuments({ sessionId, expiresAt: now() })) > sharesMax) {
      await models.shares.deleteOne({ _id: share._id });
      throw conflict('This interview has too many links: end one first');
    }
    return { share: presentShare(share), token };
  });

  server.serve(shareRoutes.listShares, async ({ params, user }) => {
    const { sessionId } = await findOwnSession(params.id, user.sub);
    const shares = await models.shares
      .find({ sessionId, expiresAt: now() })
      .sort({ createdAt: -1 })
      .lean<ShareLink[]>();
    return { shares: shares.map(presentShare), enabled };
  });

  server.serve(shareRoutes.listAllShares, async () => {
    const [found, total] = await Promise.all([
      models.shares.find({ expiresAt: now() }).sort({ createdAt: -1 }).limit(listedSharesMax).lean<ShareLink[]>(),
      models.shares.countDocuments({ expiresAt: now() }),
    ]);
    const sessionId = trusted({ $in: found.map((share) => share.sessionId) });
    const sessions = await models.sessions.find({ sessionId }, 'sessionId title user').lean<Session[]>();
    const shares = found.flatMap((share) => {
      const session = sessions.find((each) => each.sessionId === share.sessionId);
      if (!session) return [];
      const { _id, title, user } = session;
      return [{ ...presentShare(share), interviewId: _id.toHexString(), title, email: user?.email ?? null }];
    });
    return { shares, total, enabled };
  });

  server.serve(shareRoutes.revokeShare, async ({ params, user, res }) => {
    const owned = user.role === 'admin' ? {} : { userId: user.sub };
    const share = await models.shares.findOneAndDelete({ _id: params.id, ...owned }).lean<ShareLink>();
    if (!share) throw notFound('Link not found');
    addToAudit(res, { details: { link: params.id, owner: share.userId } });
    return null;
  });

  server.serve(shareRoutes.revokeAllShares, async ({ res }) => {
    const { deletedCount } = await models.shares.deleteMany({});
    addToAudit(res, { details: { links: deletedCount } });
    return null;
  });

  server.serveAnyone(shareRoutes.readShare, async ({ body, req, res }) =>
    present(await findShare(body.token, { req, res }), { req, res }),
  );

  server.serveAnyone(shareRoutes.reviewShared, async ({ params, body, req, res }) => {
    const { token, ...feedback } = body;
    const share = await findShare(token, { req, res });
    if (share.role !== 'review') throw forbidden('This link is for reading only');
    await enforceLimits(feedbackLimits, { req, res });
    const { recordings } = await read(share);
    const recording = newestTakes(recordings).find(({ _id }) => _id.toHexString() === params.id.toLowerCase());
    if (!recording) throw notFound('Recording not found');
    await saveGuestFeedback(recording, feedback, share._id.toHexString(), deps);
    return present(share, { req, res });
  });
}
