import { createHash, randomBytes } from 'node:crypto';
import { calendarRoutes } from '@interview-prep/contracts/recording/calendar';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { notFound } from '@interview-prep/kit/http/http-error';
import { type RateLimits, requestAddress } from '@interview-prep/kit/http/rate-limits';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import ical from 'ical-generator';
import { membersDone, workOf } from '../assignments/assigned-work.ts';
import type { RecordingModels } from '../models.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** The length of a calendar event, which ends when the work is due. */
const shownMs = 15 * 60_000;

export function serveCalendar(
  server: RouteServer,
  { models, limitRate, publicUrl }: { models: RecordingModels; limitRate: RateLimits; publicUrl: string },
): void {
  const { calendarFeeds } = models;

  server.serve(calendarRoutes.getCalendar, async ({ user }) => {
    const feed = await calendarFeeds.findById(user.sub).lean();
    return { createdAt: feed?.createdAt.toISOString() ?? null };
  });

  server.serve(calendarRoutes.createCalendar, async ({ user, res }) => {
    addToAudit(res, { target: `user:${user.sub}` });
    const token = randomBytes(32).toString('base64url');
    const createdAt = new Date();
    const $set = { tokenHash: hashOf(token), createdAt };
    await upsertById(() => calendarFeeds.updateOne({ _id: user.sub }, { $set }, { upsert: true }));
    const url = `${publicUrl}${calendarRoutes.calendarFeed.path}?token=${token}`;
    return { createdAt: createdAt.toISOString(), url };
  });

  server.serve(calendarRoutes.deleteCalendar, async ({ user, res }) => {
    addToAudit(res, { target: `user:${user.sub}` });
    await calendarFeeds.deleteOne({ _id: user.sub });
    return null;
  });

  server.serveAnyone(
    calendarRoutes.calendarFeed,
    async ({ query: { token }, res }) => {
      const feed = await calendarFeeds.findOne({ tokenHash: hashOf(token) }).lean();
      if (!feed) throw notFound('This calendar has ended');
      const calendar = ical({ name: 'Assigned interviews', ttl: 60 * 60 });
      for (const work of await workOf(feed._id, models)) {
        const { _id, title, sets, dueAt, closesLate, createdAt, changed } = work;
        if (dueAt === null) continue;
        const isDone = (await membersDone(work, models, feed._id)).has(feed._id);
        calendar.createEvent({
          id: `${_id}@${new URL(publicUrl).hostname}`,
          start: new Date(dueAt.getTime() - shownMs),
          end: dueAt,
          stamp: changed?.at ?? createdAt,
          summary: `${isDone ? 'Done' : 'Due'}: ${title}`,
          description: [sets.map((set) => set.title).join(', '), closesLate && 'Late work is not accepted.']
            .filter(Boolean)
            .join('\n'),
          url: `${publicUrl}/`,
        });
      }
      res
        .set({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex', 'Content-Disposition': 'inline' })
        .type('text/calendar')
        .send(calendar.toString());
    },
    ...limitRate('calendar', {
      limit: 120,
      windowMs: 60_000,
      key: requestAddress,
      message: 'This calendar was read very often in a short time.',
    }),
  );
}
