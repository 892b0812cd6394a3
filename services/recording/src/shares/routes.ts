import { createHash, randomBytes } from 'node:crypto';
import { type Share, shareRoutes, sharesMax } from '@interview-prep/contracts/shares';
import { conflict, forbidden, notFound } from '@interview-prep/kit/http-error';
import type { MediaCookie } from '@interview-prep/kit/media-cookie';
import type { MediaTokens } from '@interview-prep/kit/media-tokens';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import { trusted } from 'mongoose';
import type { Recording } from '../recordings/model.ts';
import type { ReprocessDeps } from '../recordings/start-run.ts';
import { saveReview } from '../reviews/save-review.ts';
import type { Session } from '../sessions/model.ts';
import type { ShareLink } from './model.ts';
import { holderOf, presentShared } from './present-shared.ts';

/** What the share links work with. */
export type ShareDeps = Pick<ReprocessDeps, 'models' | 'outbox'> & {
  mediaTokens: MediaTokens;
  mediaCookie: MediaCookie;
};

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

/** Serves links to interviews: their owner makes and ends them, anyone who has one reads, or reviews. */
export function serveShares(server: RouteServer, { models, outbox, mediaTokens, mediaCookie }: ShareDeps): void {
  const findOwnSession = async (id: string, userId: string) => {
    const session = await models.sessions.findOne({ _id: id, userId, kind: 'interview' }, 'sessionId').lean();
    if (!session) throw notFound('Session not found');
    return session;
  };
  const findShare = async (token: string): Promise<ShareLink> => {
    const share = await models.shares.findOne({ tokenHash: hashOf(token), expiresAt: now() }).lean<ShareLink>();
    if (!share) throw notFound(ended);
    return share;
  };
  const present = async (share: ShareLink, call: Parameters<MediaCookie['allow']>[0]) => {
    const { sessionId } = share;
    const session = await models.sessions.findOne({ sessionId }).lean<Session>();
    if (!session) throw notFound(ended);
    const recordings = await models.recordings.find({ session: session._id }).lean<Recording[]>();
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
    const { sessionId } = await findOwnSession(params.id, user.sub);
    if ((await models.shares.countDocuments({ sessionId, expiresAt: now() })) >= sharesMax)
      throw conflict('This interview has too many links: end one first');
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
    return { share: presentShare(share), token };
  });

  server.serve(shareRoutes.listShares, async ({ params, user }) => {
    const { sessionId } = await findOwnSession(params.id, user.sub);
    const shares = await models.shares
      .find({ sessionId, expiresAt: now() })
      .sort({ createdAt: -1 })
      .lean<ShareLink[]>();
    return { shares: shares.map(presentShare) };
  });

  server.serve(shareRoutes.revokeShare, async ({ params, user }) => {
    const { deletedCount } = await models.shares.deleteOne({ _id: params.id, userId: user.sub });
    if (deletedCount === 0) throw notFound('Link not found');
    return null;
  });

  server.serveAnyone(shareRoutes.readShare, async ({ body, req, res }) => {
    res.set('X-Robots-Tag', 'noindex, nofollow');
    return present(await findShare(body.token), { req, res });
  });

  server.serveAnyone(shareRoutes.reviewShared, async ({ params, body, req, res }) => {
    res.set('X-Robots-Tag', 'noindex, nofollow');
    const { token, ...review } = body;
    const share = await findShare(token);
    if (share.role !== 'review') throw forbidden('This link is for reading only');
    const recording = await models.recordings.findOne({ _id: params.id, sessionId: share.sessionId });
    if (!recording) throw notFound('Recording not found');
    await saveReview(recording, review, 'reviewer', { models, outbox });
    return present(share, { req, res });
  });
}
