import type { LiveStatus } from '@interview-prep/contracts/recordings';
import { endSignIn } from '../../../lib/api/base-api.ts';
import { routeUrl } from '../../../lib/api/route-request.ts';
import type { RootState } from '../../../lib/state/root-state.ts';
import { selectToken } from '../../../lib/state/sign-in-slice.ts';
import { historyApi } from '../history-api.ts';
import { readEventStream, StreamEnded } from './event-stream.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

/** Live status of the user's own recordings: the connection, and the last message of each. */
export interface LiveRecordings {
  connection: 'connecting' | 'open' | 'down';
  recordings: Record<string, LiveStatus>;
}

/** Three missed heartbeats: the connection is given up. */
const heartbeatTimeoutMs = 45_000;

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** One shared connection, open while it has subscribers. Each message makes what it concerns reload. */
const liveRecordingsApi = historyApi.injectEndpoints({
  endpoints: (build) => ({
    liveRecordings: build.query<LiveRecordings, void>({
      queryFn: () => ({ data: { connection: 'connecting', recordings: {} } }),
      keepUnusedDataFor: 5,
      async onCacheEntryAdded(_arg, { cacheDataLoaded, cacheEntryRemoved, updateCachedData, dispatch, getState }) {
        const stop = new AbortController();
        const over = cacheEntryRemoved.then(() => stop.abort());
        const outcome = await Promise.race([
          cacheDataLoaded.then(() => 'loaded' as const),
          over.then(() => 'removed' as const),
        ]);
        if (outcome === 'removed') return;
        // Load the schema with the first connection only.
        const { parseLiveStatus } = await import('./live-status.ts');

        let failures = 0;
        let mayHaveMissed = false;
        const setConnection = (state: LiveRecordings['connection']) =>
          updateCachedData((draft) => {
            draft.connection = state;
          });
        const onOpen = () => {
          failures = 0;
          setConnection('open');
          // Reload: messages sent while the connection was down are lost.
          if (mayHaveMissed)
            dispatch(historyApi.util.invalidateTags(['SessionDetail', 'InterviewHistory', 'PracticeHistory']));
          mayHaveMissed = false;
        };
        const onMessage = (event: string, data: string) => {
          const status = parseLiveStatus(event, data);
          if (!status) return;
          updateCachedData((draft) => {
            draft.recordings[status.recordingId] = status;
          });
          if (status.status === 'started') return;
          dispatch(
            historyApi.util.invalidateTags([
              { type: 'SessionDetail', id: status.sessionId },
              'InterviewHistory',
              'PracticeHistory',
            ]),
          );
        };

        while (!stop.signal.aborted) {
          const token = selectToken(getState() as RootState);
          try {
            await readEventStream({
              url: routeUrl('events'),
              token,
              signal: stop.signal,
              heartbeatTimeoutMs,
              onOpen,
              onMessage,
            });
          } catch (error) {
            if (!(error instanceof StreamEnded)) throw error;
            setConnection('down');
            mayHaveMissed = true;
            if (error.status === 401) endSignIn(token, { getState, dispatch });
            await wait(reconnectDelayMs(failures, Math.random()), stop.signal);
            failures += 1;
          }
        }
      },
    }),
  }),
});

export const { useLiveRecordingsQuery } = liveRecordingsApi;
