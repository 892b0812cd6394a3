import { recordingRoutes } from '@interview-prep/contracts/recordings';
import type { TokenVerifier } from '@interview-prep/kit/access-tokens';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import type { LiveStreams } from './streams.ts';

export function serveLiveEvents(server: RouteServer, streams: LiveStreams, verify: TokenVerifier): void {
  server.serve(recordingRoutes.events, async ({ req, res, user }) => {
    const token = (req.headers.authorization ?? '').replace(/^Bearer /i, '');
    streams.open({ userId: user.sub, expiresAt: user.exp, check: () => verify(token) }, res);
    return null;
  });
}
