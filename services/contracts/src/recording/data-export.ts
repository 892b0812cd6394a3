import { z } from 'zod';
import { objectId } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

/** Whose data to export; defaults to the caller's own. */
export const DataExport = z.object({ userId: objectId.toLowerCase().optional() });

const recording = routesOf('recording');

/** Routes for exporting personal data. */
export const dataExportRoutes = {
  requestDataExport: recording.post('/api/recordings/export', 'signed-in', {
    summary: 'A link that downloads everything that is stored of a user as a zip file',
    description:
      "The link works once and for a minute, with the cookie that this answer sets. 409 while a download of the same user is running. Without userId it is for one's own data; only admins may ask for another user's, with a fresh sign-in.",
    body: DataExport,
    result: z.object({ url: z.string() }),
    errorStatuses: [403, 404, 409, 429],
    audit: { action: 'data.export' },
  }),
  downloadDataExport: recording.get('/api/recordings/export/:userId', 'anyone', {
    summary: 'Everything that is stored of a user, with the cookie of POST /api/recordings/export',
    description:
      'A zip file with a folder for each session: the media, each transcript as text, JSON and WebVTT, the verdicts, and pages that show them in a browser, without the product; the account with its sign-ins, factors and latest events. It is streamed as it is made. 409 while another download of the same user is running.',
    params: z.object({ userId: objectId }),
    streams: ['application/zip'],
    errorStatuses: [401, 403, 409],
  }),
};
