import { z } from 'zod';
import { objectId, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { SessionKind } from '../recording/recordings.ts';

const score = z.number().min(0).max(100).nullable();

/** What one member has done for an assignment. Scores are averages of a session, of interviews alone; null before the first verdict. */
export const RosterRow = z.object({
  userId: z.string(),
  takes: z.number().int(),
  /** The sets that they have answered whole, at least once. */
  doneSetIds: z.array(z.string()),
  first: score,
  latest: score,
  best: score,
  /** Answers that are still being processed. */
  pendingCount: z.number().int(),
  spokenMs: z.number().int(),
  /** Whether one of the sessions was begun after the work was due. */
  late: z.boolean(),
  lastAt: timestamp,
  /** Their newest session. */
  newest: z.object({ kind: SessionKind, id: z.string() }),
});
export type RosterRow = z.infer<typeof RosterRow>;

const history = routesOf('history');

export const rosterRoutes = {
  roster: history.get('/api/rosters/:groupId/:assignmentId', 'signed-in', {
    scopes: ['results:read'],
    summary: 'What each member has done for an assignment',
    description:
      'For coaches of the group and admins. Members who have not begun are left out, as are people who have left the group.',
    params: z.object({ groupId: objectId.toLowerCase(), assignmentId: objectId.toLowerCase() }),
    result: z.object({ rows: z.array(RosterRow) }),
    errorStatuses: [403, 404],
    revalidated: true,
  }),
};
