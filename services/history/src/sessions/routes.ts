import { historyRoutes } from '@interview-prep/contracts/history';
import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { TokenClaims } from '@interview-prep/contracts/users';
import { forbidden, notFound } from '@interview-prep/kit/http-error';
import type { MediaTokens } from '@interview-prep/kit/media-tokens';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import { Types } from 'mongoose';
import { groupSessions, listSessions } from './list-sessions.ts';
import type { HistoryModels } from './model.ts';
import { newestTakes } from './newest-takes.ts';
import { presentInterviewDetail, presentInterviewItem, presentPracticeDetail, presentPracticeItem } from './present.ts';
import { type Visibility, visibleTo } from './visibility.ts';

/** What the history routes work with. */
export interface HistoryDeps {
  models: HistoryModels;
  mediaTokens: MediaTokens;
  visibility: Visibility;
}

/** Serves the lists, groups and details of both kinds of session. */
export function serveSessions(routes: RouteServer, { models, mediaTokens, visibility }: HistoryDeps): void {
  const scope = (listedAs: SessionKind, user: TokenClaims) => ({ listedAs, ...visibleTo(user, visibility) });

  const groups = (kind: SessionKind, user: TokenClaims, query: Parameters<typeof groupSessions>[1]) => {
    if (query.by === 'email' && user.role === 'dev') throw forbidden('This view is not available for your role');
    return groupSessions(scope(kind, user), query, models);
  };

  const sessionOf = async (
    kind: SessionKind,
    id: { _id: Types.ObjectId } | { sessionId: string },
    user: TokenClaims,
  ) => {
    const session = await models.sessions.findOne({ ...id, kind, ...visibleTo(user, visibility) }).lean();
    if (!session) throw notFound(kind === 'interview' ? 'Interview not found.' : 'Practice recording not found.');
    const takes = await models.recordings.find({ entryId: session._id }).lean();
    return { session, recordings: newestTakes(takes) };
  };

  routes.serve(historyRoutes.interviewHistory, async ({ query, user }) => {
    const { entries, ...page } = await listSessions(scope('interview', user), query, models);
    return { recordings: entries.map(presentInterviewItem), ...page };
  });
  routes.serve(historyRoutes.practiceHistory, async ({ query, user }) => {
    const { entries, ...page } = await listSessions(scope('practice', user), query, models);
    return { recordings: entries.map(presentPracticeItem), ...page };
  });
  routes.serve(historyRoutes.interviewGroups, async ({ query, user }) => ({
    groups: await groups('interview', user, query),
  }));
  routes.serve(historyRoutes.practiceGroups, async ({ query, user }) => ({
    groups: await groups('practice', user, query),
  }));
  routes.serve(historyRoutes.interviewDetail, async ({ params, user }) => {
    const { session, recordings } = await sessionOf('interview', { _id: new Types.ObjectId(params.id) }, user);
    return presentInterviewDetail(session, recordings, mediaTokens);
  });
  routes.serve(historyRoutes.practiceDetail, async ({ params: { id }, user }) => {
    const key = /^[0-9a-f]{24}$/i.test(id) ? { _id: new Types.ObjectId(id) } : { sessionId: id };
    const { session, recordings } = await sessionOf('practice', key, user);
    return presentPracticeDetail(session, recordings, mediaTokens);
  });
}
