import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

const recording = routesOf('recording');

/** An iCalendar feed of one's assigned work, which calendar apps read without signing in. */
export const calendarRoutes = {
  getCalendar: recording.get('/api/calendar', 'signed-in', {
    summary: "When one's calendar address was created",
    description: 'Null without one. The address itself is shown only on creation.',
    result: z.object({ createdAt: timestamp.nullable() }),
  }),
  createCalendar: recording.post('/api/calendar', 'signed-in', {
    summary: 'Create a calendar address for due dates of assigned work',
    description:
      'Replaces any earlier one, which stops working. The server stores only a hash of its token, so it is shown only here.',
    status: 201,
    result: z.object({ createdAt: timestamp, url: z.string() }),
    audit: { action: 'calendar.create' },
  }),
  deleteCalendar: recording.delete('/api/calendar', 'signed-in', {
    summary: "Revoke one's calendar address",
    description: 'Calendar apps keep what they have already read.',
    audit: { action: 'calendar.delete' },
  }),
  calendarFeed: recording.get('/api/calendar/feed.ics', 'anyone', {
    summary: 'Due dates of assigned work, as iCalendar (RFC 5545)',
    description:
      "One event per assignment with a due date, for the token's owner. The token is in the query, since calendar apps send no headers; it is redacted in logs. 404 once the address has been revoked.",
    query: z.object({ token: z.string('Token is required').min(1, 'Token is required').max(100, 'Token is too long') }),
    streams: ['text/calendar'],
    errorStatuses: [404, 429],
  }),
};
