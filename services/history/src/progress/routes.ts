import { progressRoutes } from '@interview-prep/contracts/history/progress';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { countShown } from '../projection/count-question.ts';
import type { HistoryModels } from '../projection/model.ts';
import { readLatestInterview } from './latest-interview.ts';
import { readProgress } from './read-progress.ts';
import { readReviews } from './read-reviews.ts';

/** Serves what a user has reached and what comes back. Each user reads their own only, admins too. */
export function serveProgress(routes: RouteServer, { models }: { models: HistoryModels }): void {
  routes.serve(progressRoutes.progress, async ({ query: { timeZone }, user }) => {
    await countShown(user.sub, models);
    const [progress, latest] = await Promise.all([
      readProgress({ userId: user.sub, timeZone, now: new Date() }, models),
      readLatestInterview(user.sub, models),
    ]);
    return { ...progress, latest };
  });
  routes.serve(progressRoutes.reviews, async ({ user }) => {
    await countShown(user.sub, models);
    return readReviews(user.sub, new Date(), models);
  });
}
