import { passwordResetRoutes } from '@interview-prep/contracts/auth/password-reset';
import type { UserSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { ResetTicketVerifier } from '@interview-prep/kit/tokens/reset-tickets';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { ShareLink } from './model.ts';

export interface LinksAfterResetDeps {
  models: RecordingModels;
  verifyResetTicket: ResetTicketVerifier;
}

/** Routes to review an account's share links after a password reset by mail, before the next sign-in. */
export function serveLinksAfterReset(server: RouteServer, { models, verifyResetTicket }: LinksAfterResetDeps): void {
  server.serveAnyone(passwordResetRoutes.linksAfterReset, async ({ body }) => {
    const userId = await verifyResetTicket(body.ticket);
    const unexpired = { userId, expiresAt: trusted({ $gt: new Date() }) };
    const shares = await models.shares.find(unexpired).sort({ createdAt: -1 }).lean<ShareLink[]>();
    const ids = trusted({ $in: shares.map(({ sessionId }) => sessionId) });
    const sessions = await models.sessions.find({ sessionId: ids }, 'sessionId title').lean();
    const titles = new Map(sessions.map(({ sessionId, title }) => [sessionId, title]));
    return {
      links: shares.map(({ sessionId, role, createdAt, expiresAt }) => ({
        title: titles.get(sessionId) ?? '',
        role,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      })),
    };
  });
}

/** Revokes the links that a user created before they removed all other access to their account. */
export async function endShares({ userId, sharesEndedAt }: UserSnapshot, models: RecordingModels): Promise<void> {
  if (sharesEndedAt === undefined) return;
  await models.shares.deleteMany({ userId, createdAt: trusted({ $lte: new Date(sharesEndedAt) }) });
}
