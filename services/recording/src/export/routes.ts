import { pipeline } from 'node:stream/promises';
import { dataExportRoutes } from '@interview-prep/contracts/recording/data-export';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { conflict, forbidden, unauthorized } from '@interview-prep/kit/http/http-error';
import { type RateLimits, signedInUser } from '@interview-prep/kit/http/rate-limits';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { TokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import type { RequestHandler } from 'express';
import type { AccountDataSource } from './account-data-source.ts';
import type { ExportCookie } from './export-cookie.ts';
import { type ExportDeps, exportData } from './export-data.ts';
import type { RunningExports } from './running-exports.ts';

export interface ExportRouteDeps extends ExportDeps {
  exportCookie: ExportCookie;
  denylist: Pick<TokenDenylist, 'hasEnded'>;
  accountData: AccountDataSource;
  /** Limit how many links one user can request. */
  exportLimits: readonly RequestHandler[];
  runningExports: RunningExports;
}

const stillRunning = 'A download of yours is still running. Please wait until it has ended.';

/** Rate limits for creating links: an export reads everything that its owner recorded. */
export function createExportLimits(limit: number, limitRate: RateLimits): RequestHandler[] {
  const message = 'You have asked for many downloads in a short time.';
  return limitRate('exports-hour', { limit, windowMs: 60 * 60_000, key: signedInUser, message });
}

/** Routes to export a user's data: first a link with its cookie, so that the browser itself can stream the download to a file. */
export function serveDataExport(server: RouteServer, deps: ExportRouteDeps): void {
  server.serve(
    dataExportRoutes.requestDataExport,
    async ({ body, user, req, res }) => {
      const userId = body.userId ?? user.sub;
      addToAudit(res, { target: `user:${userId}` });
      if (userId !== user.sub && user.role !== 'admin') throw forbidden();
      if (await deps.runningExports.isRunning(user.sub)) throw conflict(stillRunning);
      const accountId = await deps.accountData.fetch(userId, req.headers.authorization);
      return { url: deps.exportCookie.allow(res, { userId, accountId, signIn: user }) };
    },
    ...deps.exportLimits,
  );

  server.serveAnyone(dataExportRoutes.downloadDataExport, async ({ params, req, res }) => {
    const allowed = deps.exportCookie.allowedIn(req);
    const ended = 'This link has expired. Request a new link.';
    if (allowed === null) throw unauthorized(ended);
    if (allowed.userId !== params.userId.toLowerCase()) throw forbidden('This link is for another user');
    if (await deps.denylist.hasEnded(allowed.signIn)) throw unauthorized(ended);
    if (!(await deps.accountData.has(allowed.accountId))) throw unauthorized(ended);
    const day = new Date().toISOString().slice(0, 10);
    const headers = {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="interview-data-${day}.zip"`,
      'Cache-Control': 'no-store',
    };
    if (req.method === 'HEAD') {
      res.set(headers).end();
      return null;
    }
    const end = await deps.runningExports.start(allowed.signIn.sub);
    if (!end) throw conflict(stillRunning);
    try {
      const account = await deps.accountData.take(allowed.accountId);
      if (account === null) throw unauthorized(ended);
      const gone = new AbortController();
      res.once('close', () => gone.abort());
      res.set(headers);
      await pipeline(exportData(account, deps, gone.signal), res).catch((error: unknown) =>
        req.log.warn({ err: error }, 'an export was aborted'),
      );
    } finally {
      await end();
    }
    return null;
  });
}
