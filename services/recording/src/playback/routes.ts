import { pipeline } from 'node:stream/promises';
import { mediaDeletionText } from '@interview-prep/contracts/recording/media-deletion';
import { recordingRoutes } from '@interview-prep/contracts/recording/recordings';
import { forbidden, HttpError, notFound, unauthorized } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { MediaCookie, MediaTokens } from '@interview-prep/kit/tokens/media-tokens';
import type { TokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import type { Request, Response } from 'express';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import { type ByteRange, ObjectMissing, type ObjectStore } from '../object-store/object-store.ts';
import type { StoredMedia } from '../recordings/model.ts';
import { shareOfSubject } from '../shares/present-shared.ts';

export interface PlaybackDeps {
  models: RecordingModels;
  store: ObjectStore;
  mediaTokens: MediaTokens;
  mediaCookie: MediaCookie;
  denylist: Pick<TokenDenylist, 'hasEnded'>;
  /** The setting SHARE_LINKS. */
  shareLinks: 'on' | 'off';
}

const missing = 'Recording not found';
const ended = 'This link to the recording has expired';

/** Keep media out of the browser's cache, where the next user of the machine could play it. */
const uncached = 'no-store';

/**
 * Serves a recording's media with byte ranges, as long as the sign-in lasts, authorized by the token in its URL or by the cookie of
 * a browser that got the link.
 */
export function servePlayback(server: RouteServer, deps: PlaybackDeps): void {
  const { models, store, mediaTokens, mediaCookie, denylist } = deps;

  /** Whether a link is still valid and includes media. */
  const isShared = async (shareId: string) =>
    deps.shareLinks === 'on' &&
    (await models.shares.exists({ _id: shareId, expiresAt: trusted({ $gt: new Date() }), 'shows.media': true })) !==
      null;

  server.serveAnyone(recordingRoutes.media, async ({ params: { recordingId }, query, req, res }) => {
    const link = query.token === undefined ? mediaCookie.linkOf(req, recordingId) : mediaTokens.linkOf(query.token);
    if (link === null) throw unauthorized(ended);
    if (link.recordingId !== recordingId.toLowerCase()) throw forbidden('This link is for another recording');
    const shareId = shareOfSubject(link.signIn.sub);
    if (shareId === null ? await denylist.hasEnded(link.signIn) : !(await isShared(shareId))) throw unauthorized(ended);
    const recording = await models.recordings.findById(recordingId, 'original playback mediaDeletion').lean();
    if (!recording) throw notFound(missing);
    const { mediaDeletion } = recording;
    if (mediaDeletion) throw new HttpError(410, 'media_deleted', mediaDeletionText(mediaDeletion));
    await sendMedia(req, res, recording.playback ?? recording.original, store);
    return null;
  });
}

/** Responds with stored media, or the requested range of it. */
async function sendMedia(req: Request, res: Response, media: StoredMedia, store: ObjectStore): Promise<void> {
  // The bytes under a key never change.
  const etag = `"${nameOf(media)}"`;
  const range = requestedRange(req, etag, media.sizeBytes);
  if (range === 'unsatisfiable') {
    res.set('Content-Range', `bytes */${media.sizeBytes}`);
    throw new HttpError(416, 'range_not_satisfiable', 'The requested range is outside the recording');
  }
  if (isCached(req, etag)) {
    res.status(304).set({ ETag: etag, 'Cache-Control': uncached }).end();
    return;
  }
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  // Fetch before sending headers, so that a failure can still set the status.
  const body = req.method === 'HEAD' ? null : await fetchMedia(store, media.key, range, gone.signal);
  res.set({
    'Accept-Ranges': 'bytes',
    'Cache-Control': uncached,
    'Content-Type': media.mediaType,
    // The name is safe: we generate it from letters, digits, hyphens and dots.
    'Content-Disposition': `inline; filename="${nameOf(media)}"`,
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  });
  if (range) res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${media.sizeBytes}`);
  res.set('Content-Length', String(range ? range.end - range.start + 1 : media.sizeBytes));
  if (!body) {
    res.end();
    return;
  }
  // Seeking or closing the player aborts the transfer.
  await pipeline(body, res).catch((error: unknown) => req.log.info({ err: error }, 'a transfer was aborted'));
}

/** The last segment of the media's key. */
const nameOf = ({ key }: StoredMedia) => key.slice(key.lastIndexOf('/') + 1);

async function fetchMedia(store: ObjectStore, key: string, range: ByteRange | undefined, signal: AbortSignal) {
  try {
    return await store.get(key, { signal, ...(range ? { range } : {}) });
  } catch (error) {
    throw error instanceof ObjectMissing ? notFound(missing) : error;
  }
}

/** The single requested range. Undefined for the whole file, also if several are requested or the media has changed. */
function requestedRange(req: Request, etag: string, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const condition = req.get('if-range');
  if (condition !== undefined && condition !== etag) return undefined;
  const ranges = req.range(sizeBytes, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/** Whether the client already has these bytes. */
const isCached = (req: Request, etag: string) =>
  (req.get('if-none-match') ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === etag);
