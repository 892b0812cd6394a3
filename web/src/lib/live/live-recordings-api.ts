import { limits } from '@interview-prep/contracts/api/limits';
import type { LiveStatus } from '@interview-prep/contracts/recording/recordings';
import type { LiveWords } from '@interview-prep/contracts/recording/uploads';
import { useDocumentVisibility } from '@mantine/hooks';
import { api, endSignIn } from '../api/base-api.ts';
import { routeUrl } from '../api/route-request.ts';
import { selectToken, selectUser } from '../state/sign-in-slice.ts';
import { type RootState, useAppSelector } from '../state/state-hooks.ts';
import { readEventStream, StreamEnded } from './event-stream.ts';

type LiveRecordings = Record<string, LiveStatus>;

interface LiveMessages {
  recordings: LiveRecordings;
  /** The latest words of an answer in progress. */
  words: LiveWords | null;
}

/** Three missed heartbeats. */
const heartbeatTimeoutMs = 45_000;
const firstDelayMs = 1000;
const longestDelayMs = 30_000;

/** The tag id of a session that the server didn't have yet. */
export const missingSession = '';

/**
 * Exponential backoff before reconnecting, with jitter over the upper half so that browsers don't all reconnect at once
 * after a restart.
 * @param attempt consecutive failures, from 0
 * @param random 0–1
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  const ceilingMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempt, 10));
  return Math.round(ceilingMs * (0.5 + random / 2));
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * One shared connection per list of watched sessions, open while it has subscribers. Each message reloads the history and its
 * session. So does every (re)connect, since earlier messages are lost.
 */
const liveRecordingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    liveRecordings: build.query<LiveMessages, string>({
      queryFn: () => ({ data: { recordings: {}, words: null } }),
      keepUnusedDataFor: 5,
      async onCacheEntryAdded(
        sessionIds,
        { cacheDataLoaded, cacheEntryRemoved, updateCachedData, dispatch, getState },
      ) {
        const stop = new AbortController();
        const over = cacheEntryRemoved.then(() => stop.abort());
        const outcome = await Promise.race([
          cacheDataLoaded.then(() => 'loaded' as const),
          over.then(() => 'removed' as const),
        ]);
        if (outcome === 'removed') return;
        // Loads the schema lazily, with the first connection.
        const { parseLiveStatus, parseLiveWords } = await import('./live-status.ts');

        const url = sessionIds === '' ? routeUrl('events') : `${routeUrl('events')}?sessionIds=${sessionIds}`;
        let failures = 0;
        const onOpen = () => {
          failures = 0;
          dispatch(api.util.invalidateTags(['SessionDetail', 'InterviewHistory', 'PracticeHistory']));
        };
        const onMessage = (event: string, data: string) => {
          const words = parseLiveWords(event, data);
          if (words) updateCachedData((messages) => void Object.assign(messages, { words }));
          const status = parseLiveStatus(event, data);
          if (!status) return;
          updateCachedData(({ recordings }) => {
            // An estimate stays until there is a new one.
            const { estimate = recordings[status.recordingId]?.estimate } = status;
            recordings[status.recordingId] = estimate ? { ...status, estimate } : status;
          });
          // No stored data has changed.
          if (status.status === 'started' || status.estimate) return;
          dispatch(
            api.util.invalidateTags([
              { type: 'SessionDetail', id: status.sessionId },
              { type: 'SessionDetail', id: missingSession },
              'InterviewHistory',
              'PracticeHistory',
            ]),
          );
        };

        while (!stop.signal.aborted) {
          const token = selectToken(getState() as RootState);
          const { signal } = stop;
          try {
            await readEventStream({ url, token, signal, heartbeatTimeoutMs, onOpen, onMessage });
          } catch (error) {
            if (!(error instanceof StreamEnded)) throw error;
            if (error.status === 401) endSignIn(token, { getState, dispatch });
            await wait(reconnectDelayMs(failures, Math.random()), signal);
            failures += 1;
          }
        }
      },
    }),
  }),
});

const { useLiveRecordingsQuery } = liveRecordingsApi;

const none: LiveRecordings = {};

/**
 * Keeps a screen's data up to date while `isWanted`. A hidden tab closes its connection: over HTTP/1.1 browsers allow six
 * per server across all tabs.
 * @param watched sessions of others that an admin is viewing; only admins receive their events
 * @returns the last live status of each recording
 */
export function useLiveRecordings(isWanted: boolean, watched: readonly string[] = []): LiveRecordings {
  const isVisible = useDocumentVisibility() === 'visible';
  const isAdmin = useAppSelector(selectUser)?.role === 'admin';
  const sessionIds = isAdmin ? [...new Set(watched)].toSorted().slice(0, limits.watchedSessions).join(',') : '';
  return useLiveRecordingsQuery(sessionIds, { skip: !isWanted || !isVisible }).data?.recordings ?? none;
}

/** The latest words of an answer in progress; null before the first. */
export function useLiveWords(): LiveWords | null {
  return useLiveRecordingsQuery('').data?.words ?? null;
}
