import { setTimeout as pause } from 'node:timers/promises';
import type { InterviewDetail, PracticeDetail } from '@interview-prep/contracts/history/history';
import { LiveStatus } from '@interview-prep/contracts/recording/recordings';
import type { System } from '../system/system.ts';
import type { Client } from './client.ts';
import type { Journal } from './journal.ts';
import type { Upload } from './uploads.ts';

/** A user's open pages, which share one event stream like the windows of a browser. */
export interface LivePages {
  /** Opens pages of sessions with acknowledged uploads that no page has shown yet. */
  openNew(): void;
  /** The acknowledged uploads that are still shown as pending, or are missing. */
  stale(): Upload[];
  /** Closes the stream. Resolves once all requests have ended. */
  close(): Promise<void>;
}

/** As in the web app's `live-recordings-api.ts`. */
const HEARTBEAT_TIMEOUT_MS = 45_000;
const LONGEST_DELAY_MS = 30_000;

const DETAILS = { interview: '/api/interviews/', practice: '/api/practice/details/' } as const;

/**
 * Opens pages of all sessions of a user. As in the web app, a session is reloaded on messages about it, and all of them when
 * the stream opens; failed loads are retried.
 */
export function openLivePages(
  { url }: Pick<System, 'url'>,
  client: Client,
  uploads: readonly Upload[],
  journal: Journal,
): LivePages {
  const closing = new AbortController();
  const opened = new Set<Upload>();
  const shown = new Set<Upload>();
  const stale = () =>
    uploads.filter((upload) => upload.user === client.email && upload.recordingId && !shown.has(upload));
  const loads = new Map<string, Promise<void>>();
  /** A token that stays signed in: signing out would make the page reload everything. */
  let token: string | undefined;

  const load = async (sessionId: string) => {
    const upload = stale().find((own) => own.sessionId === sessionId);
    if (!upload) return;
    const operation = journal.begin(client.email, 'read', sessionId);
    const answer = await client.call(operation, { method: 'GET', path: DETAILS[upload.kind] + upload.detailId });
    journal.end(operation, answer?.status === 200 || answer?.status === 404);
    if (answer?.status !== 200) return;
    const { recordings } = answer.body as Pick<InterviewDetail | PracticeDetail, 'recordings'>;
    for (const { questionId, take, transcription, ...others } of recordings) {
      const assessment = 'assessment' in others ? others.assessment : undefined;
      if (transcription.status === 'pending' || assessment?.status === 'pending') continue;
      for (const own of uploads) {
        if (own.sessionId === sessionId && own.questionId === questionId && own.take <= take) shown.add(own);
      }
    }
  };
  /** Queues a load after the current one, which may have missed the change. */
  const queueLoad = (sessionId: string) => {
    const next = (loads.get(sessionId) ?? Promise.resolve()).then(() => load(sessionId));
    loads.set(sessionId, next);
  };

  const signIn = async () => {
    const operation = journal.begin(client.email, 'read', 'event stream');
    token = await client.signIn(operation);
    journal.end(operation, token !== undefined);
  };

  const readStream = async (onOpen: () => void) => {
    if (!token) await signIn();
    const silence = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), HEARTBEAT_TIMEOUT_MS);
    };
    heard();
    try {
      const response = await fetch(`${url}/api/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.any([closing.signal, silence.signal]),
      });
      if (!response.ok || !response.body) {
        if (response.status === 401) token = undefined;
        await response.body?.cancel();
        return;
      }
      onOpen();
      let rest = '';
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        heard();
        const messages = (rest + text).split('\n\n');
        rest = messages.pop() ?? '';
        for (const message of messages) {
          const [, data] = /^event: recording\ndata: (.*)$/.exec(message) ?? [];
          const { sessionId, status, estimate } = data ? LiveStatus.parse(JSON.parse(data)) : {};
          if (sessionId && status !== 'started' && !estimate) queueLoad(sessionId);
        }
      }
    } finally {
      clearTimeout(timer);
    }
  };

  const follow = async () => {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      const onOpen = () => {
        failures = 0;
        for (const sessionId of new Set(stale().map((upload) => upload.sessionId))) queueLoad(sessionId);
      };
      await readStream(onOpen).catch(() => undefined);
      const delayMs = Math.min(LONGEST_DELAY_MS, 1000 * 2 ** failures);
      await pause(delayMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    await Promise.all(loads.values());
  };
  const following = follow();

  return {
    openNew() {
      for (const upload of stale()) {
        if (!opened.has(upload)) queueLoad(upload.sessionId);
        opened.add(upload);
      }
    },
    stale,
    close() {
      closing.abort();
      return following;
    },
  };
}
