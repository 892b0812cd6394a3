import { z } from 'zod';
import { objectId } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

/** Whose data to export; defaults to the caller's own. */
export const DataExport = z.object({ userId: objectId.toLowerCase().optional() });

const recording = routesOf('recording');

/** Routes for exporting personal data. */
export const dataExportRoutes = {
  requestDataExport: recording.post('/api/recordings/export', 'signed-in', {
    summary: "Create a link to download all of a user's data as a zip file",
    description:
      "The link can be used once, within a minute, with the cookie set by this response. 409 while a download for the same user is running. Defaults to one's own data; only admins can request another user's, with a fresh sign-in.",
    body: DataExport,
    result: z.object({ url: z.string() }),
    errorStatuses: [403, 404, 409, 429],
    audit: { action: 'data.export' },
  }),
  downloadDataExport: recording.get('/api/recordings/export/:userId', 'anyone', {
    summary: "Download all of a user's data, with the cookie of POST /api/recordings/export",
    description:
      'A zip file with a folder for each session: the media, each transcript as text, JSON and WebVTT, the verdicts, and pages that show them in a browser, without the product; the account with its sign-ins, factors and latest events. The file is streamed while it is generated. 409 while another download for the same user is running.',
    params: z.object({ userId: objectId }),
    streams: ['application/zip'],
    errorStatuses: [401, 403, 409],
  }),
};
