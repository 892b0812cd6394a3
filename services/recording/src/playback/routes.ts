import { pipeline } from 'node:stream/promises';
import { recordingRoutes } from '@interview-prep/contracts/recordings';
import { forbidden, HttpError, notFound, unauthorized } from '@interview-prep/kit/http-error';
import type { MediaTokens } from '@interview-prep/kit/media-tokens';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import type { Request, Response } from 'express';
import type { RecordingModels } from '../models.ts';
import { type ByteRange, ObjectMissing, type ObjectStore } from '../object-store.ts';
import type { StoredMedia } from '../recordings/model.ts';

export interface PlaybackDeps {
  models: RecordingModels;
  store: ObjectStore;
  mediaTokens: MediaTokens;
}

const missing = 'Recording not found';

export function servePlayback(server: RouteServer, { models, store, mediaTokens }: PlaybackDeps): void {
  server.serveAnyone(recordingRoutes.media, async ({ params, query, req, res }) => {
    const allowed = query.token === undefined ? null : mediaTokens.recordingOf(query.token);
    if (allowed === null) throw unauthorized('This link to the recording is not valid any more');
    if (allowed !== params.recordingId.toLowerCase()) throw forbidden('This link is for another recording');
    const recording = await models.recordings.findById(params.recordingId, { original: 1, playback: 1 }).lean();
    if (!recording) throw notFound(missing);
    await sendMedia(req, res, recording.playback ?? recording.original, store);
    return null;
  });
}

/** Answers with an object or the range of it that is asked for. */
async function sendMedia(req: Request, res: Response, media: StoredMedia, store: ObjectStore): Promise<void> {
  // A key names its content for good: the same key is the same bytes.
  const etag = `"${media.key.slice(media.key.lastIndexOf('/') + 1)}"`;
  const range = askedRange(req, etag, media.sizeBytes);
  if (range === 'unsatisfiable') {
    res.set('Content-Range', `bytes */${media.sizeBytes}`);
    throw new HttpError(416, 'range_not_satisfiable', 'The recording has no such part');
  }
  if (isKnown(req, etag)) {
    res.status(304).set('ETag', etag).end();
    return;
  }
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  // Before the first header: what can not be fetched is answered as the error it is.
  const body = req.method === 'HEAD' ? null : await fetchMedia(store, media.key, range, gone.signal);
  res.set({
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=3600',
    'Content-Type': media.mediaType,
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  });
  if (range) res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${media.sizeBytes}`);
  res.set('Content-Length', String(range ? range.end - range.start + 1 : media.sizeBytes));
  if (!body) {
    res.end();
    return;
  }
  // Someone who seeks or leaves breaks off the transfer: nobody is left to be answered.
  await pipeline(body, res).catch((error: unknown) => req.log.info({ err: error }, 'a transfer broke off'));
}

async function fetchMedia(store: ObjectStore, key: string, range: ByteRange | undefined, signal: AbortSignal) {
  try {
    return await store.get(key, { signal, ...(range ? { range } : {}) });
  } catch (error) {
    throw error instanceof ObjectMissing ? notFound(missing) : error;
  }
}

/** The one range that is asked for; undefined for the whole: also where several are asked for, or the media has changed. */
function askedRange(req: Request, etag: string, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const condition = req.get('if-range');
  if (condition !== undefined && condition !== etag) return undefined;
  const ranges = req.range(sizeBytes, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/** Whether the client has this version already. */
const isKnown = (req: Request, etag: string) =>
  (req.get('if-none-match') ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === etag);
