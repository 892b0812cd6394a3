import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

const recording = routesOf('recording');

/** An iCalendar feed of one's assigned work, which calendar apps read without signing in. */
export const calendarRoutes = {
  getCalendar: recording.get('/api/calendar', 'signed-in', {
    summary: 'Since when one has a calendar address',
    description: 'Null without one. The address itself is shown only when it is made.',
    result: z.object({ createdAt: timestamp.nullable() }),
  }),
  createCalendar: recording.post('/api/calendar', 'signed-in', {
    summary: 'Make an address at which calendar programs read when work is due',
    description:
      'It replaces an earlier one, which stops working. The server keeps a hash of its token alone, so that it is shown only here.',
    status: 201,
    result: z.object({ createdAt: timestamp, url: z.string() }),
    audit: { action: 'calendar.create' },
  }),
  deleteCalendar: recording.delete('/api/calendar', 'signed-in', {
    summary: "End one's calendar address",
    description: 'Calendar programs keep what they have read.',
    audit: { action: 'calendar.delete' },
  }),
  calendarFeed: recording.get('/api/calendar/feed.ics', 'anyone', {
    summary: 'When work is due, as iCalendar (RFC 5545)',
    description:
      'An event for each assignment with a due date, of the person whose token it is. The token is in the query, since calendar programs send nothing else; logs leave it out. 404 once the address has ended.',
    query: z.object({ token: z.string('Token is required').min(1, 'Token is required').max(100, 'Token is too long') }),
    streams: ['text/calendar'],
    errorStatuses: [404, 429],
  }),
};
