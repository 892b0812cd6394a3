import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { InterviewDetail } from '@interview-prep/contracts/history/history';
import type { LiveStatus } from '@interview-prep/contracts/recording/recordings';
import type { Latencies } from './latencies.ts';

/** Shared by all visits. */
export interface Place {
  url: string;
  password: string;
  set: Pick<InterviewSet, '_id'>;
  answers: number;
  answerSeconds: number;
  /** An answer as the browser records it. */
  media: Uint8Array<ArrayBuffer>;
  latencies: Latencies;
}

/**
 * A browser's requests, recorded with Chromium in November 2026 on one visit: a sign-in, an interview with two answers of 16 s,
 * the results as they came, the detail page, and its recording. `at`: seconds after arrival.
 */
const homeAt = 1;
const home = [
  '/api/groups',
  '/api/auth/draft-key',
  '/api/technologies',
  '/api/interviews/sets?status=published&answers=false',
  '/api/progress?timeZone=UTC',
  '/api/reviews',
  '/api/practice?status=published&answers=false',
  '/api/uploads',
  '/api/assignments',
];
const setAt = 5;
const setPage = ['/api/interviews/sets?status=published&answers=false', '/api/uploads'];
const firstAnswerAt = 8;
const betweenAnswersS = 3;
const partEveryS = 2;
/** The requests that a page with results repeats on each live message. */
const afterMessage = (interviewId: string) => [`/api/interviews/${interviewId}`, '/api/interviews/history?limit=25'];
const search = { path: '/api/interviews/history/search', body: { limit: 25 } };

/** How long a visitor waits for a verdict. */
const patienceMs = 120_000;
/** A timeout beyond the product's own limit of ten seconds. */
const answerLimitMs = 20_000;

const untilAt = (at: number) => pause(Math.max(0, at - performance.now()));

/** Simulates one person's visit. Failures are counted, not thrown. */
export async function visit(email: string, place: Place): Promise<void> {
  const { url, latencies } = place;
  const arrivedAt = performance.now();
  const after = (seconds: number) => arrivedAt + seconds * 1000;
  let token = '';

  /** Sends a request at its intended time, or as soon as the person gets to it. @returns the response's body */
  const ask = async <Result>(
    kind: string,
    intendedAt: number,
    path: string,
    { method = 'GET', body, bytes }: { method?: string; body?: object; bytes?: Uint8Array<ArrayBuffer> } = {},
  ): Promise<Result> => {
    await untilAt(intendedAt);
    const digest = bytes && createHash('sha256').update(bytes).digest('base64');
    const headers: Record<string, string> = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(bytes ? { 'content-type': 'application/octet-stream', 'content-digest': `sha-256=:${digest}:` } : {}),
    };
    const sent = bytes ?? (body && JSON.stringify(body));
    const signal = AbortSignal.timeout(answerLimitMs);
    let problem = 'no answer';
    try {
      const response = await fetch(url + path, { method, headers, signal, ...(sent ? { body: sent } : {}) });
      const read = response.headers.get('content-type')?.includes('json') ? response.json() : response.arrayBuffer();
      if (!response.ok) problem = `${response.status}: ${(await read.catch(() => undefined))?.message ?? ''}`;
      else {
        const result = (await read) as Result;
        latencies.took(kind, intendedAt);
        return result;
      }
    } catch (error) {
      problem = ((error as Error).cause as { code?: string } | undefined)?.code ?? (error as Error).name;
    }
    latencies.failed(kind, problem);
    throw new Refused(kind);
  };
  const load = (kind: string, paths: readonly string[], at: number) =>
    Promise.all(paths.map((path) => ask(kind, at, path)));

  const leaving = new AbortController();
  try {
    const login = { method: 'POST', body: { email, password: place.password } };
    token = (await ask<{ user: { token: string } }>('sign in', arrivedAt, '/api/auth/login', login)).user.token;
    await Promise.all([load('home', home, after(homeAt)), ask('home', after(homeAt), search.path, post(search.body))]);
    await load('set', setPage, after(setAt));

    const messages = createMessages();
    void listen({ url, token, latencies, signal: leaving.signal }, messages);
    const sessionId = randomUUID();
    const stopped = new Map<string, number>();
    let interviewId = '';
    for (let questionId = 0; questionId < place.answers; questionId += 1) {
      const startAt = after(firstAnswerAt + questionId * (place.answerSeconds + betweenAnswersS));
      const recording = await answer({ sessionId, questionId, startAt }, place, ask);
      interviewId = recording.interviewId;
      stopped.set(recording._id, startAt + place.answerSeconds * 1000);
    }

    const transcribed = new Set<string>();
    const judged = new Set<string>();
    const reloads: Promise<unknown>[] = [];
    for await (const { recordingId, stage, status, estimate, arrivedAt: at } of messages.until(
      performance.now() + patienceMs,
    )) {
      const stoppedAt = stopped.get(recordingId);
      // No stored data has changed.
      if (stoppedAt === undefined || status === 'started' || estimate) continue;
      const isTranscribed = stage === 'assessment' || (stage === 'transcription' && status === 'completed');
      if (isTranscribed && !transcribed.has(recordingId)) {
        transcribed.add(recordingId);
        latencies.took('transcript after Stop', stoppedAt, at);
      }
      const hasEnded = status === 'completed' || status === 'unscored' || status === 'failed';
      if ((stage === 'assessment' || status === 'failed') && hasEnded && !judged.has(recordingId)) {
        judged.add(recordingId);
        if (status === 'failed') latencies.failed('verdict after Stop', 'the recording failed');
        else latencies.took('verdict after Stop', stoppedAt, at);
      }
      const now = performance.now();
      // A slow page load doesn't delay the next message. Failures are counted.
      reloads.push(
        load('result', afterMessage(interviewId), now).catch(() => undefined),
        ask('result', now, search.path, post(search.body)).catch(() => undefined),
      );
      if (judged.size === place.answers) break;
    }
    await Promise.all(reloads);
    for (let missing = judged.size; missing < place.answers; missing += 1)
      latencies.failed('verdict after Stop', `none within ${patienceMs / 1000} s`);

    const now = performance.now();
    const [detail] = await Promise.all([
      ask<InterviewDetail>('detail', now, `/api/interviews/${interviewId}`),
      ask('detail', now, '/api/auth/me'),
    ]);
    const media = detail.recordings.find((recording) => recording.audioUrl !== '')?.audioUrl;
    if (media) await ask('recording', performance.now(), new URL(media, url).pathname + new URL(media, url).search);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  } finally {
    leaving.abort();
  }
}

/** Thrown for a failed request, which ends the visit. */
class Refused extends Error {}

const post = (body: object) => ({ method: 'POST', body });

type Ask = <Result>(
  kind: string,
  intendedAt: number,
  path: string,
  request?: { method?: string; body?: object; bytes?: Uint8Array<ArrayBuffer> },
) => Promise<Result>;

/** Simulates one spoken answer, sent in parts. */
async function answer(
  { sessionId, questionId, startAt }: { sessionId: string; questionId: number; startAt: number },
  { set, media, answerSeconds }: Place,
  ask: Ask,
): Promise<{ _id: string; interviewId: string }> {
  const path = `/api/uploads/${randomUUID()}`;
  const target = { kind: 'interview', setId: set._id, sessionId, questionId };
  await ask('begin answer', startAt, path, { method: 'PUT', body: target });
  const parts = Math.ceil(answerSeconds / partEveryS);
  const size = Math.ceil(media.length / parts);
  for (let number = 0; number < parts; number += 1) {
    const piece = media.subarray(number * size, (number + 1) * size);
    // A trailing void element, which readers skip, makes each recording unique.
    const mark = number === parts - 1 ? [0xec, 0x84, ...crypto.getRandomValues(new Uint8Array(4))] : [];
    const at = startAt + Math.min((number + 1) * partEveryS, answerSeconds) * 1000;
    await ask('part', at, `${path}/parts/${number}`, { method: 'PUT', bytes: new Uint8Array([...piece, ...mark]) });
  }
  const completed = await ask<{ recording: { _id: string; interviewId: string } }>(
    'complete answer',
    startAt + answerSeconds * 1000,
    `${path}/complete`,
    { method: 'POST', body: { parts } },
  );
  return completed.recording;
}

function createMessages() {
  const waiting: (LiveStatus & { arrivedAt: number })[] = [];
  let wake: () => void = () => undefined;
  return {
    add(message: LiveStatus) {
      waiting.push({ ...message, arrivedAt: performance.now() });
      wake();
    },
    async *until(deadline: number): AsyncGenerator<LiveStatus & { arrivedAt: number }> {
      while (performance.now() < deadline) {
        const next = waiting.shift();
        if (next) yield next;
        else {
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          await Promise.race([promise, pause(Math.max(0, deadline - performance.now()), undefined, { ref: false })]);
        }
      }
    },
  };
}

/** Reads the live stream until the visit ends. */
async function listen(
  { url, token, latencies, signal }: { url: string; token: string; latencies: Latencies; signal: AbortSignal },
  messages: ReturnType<typeof createMessages>,
): Promise<void> {
  const kind = 'live stream';
  try {
    const startedAt = performance.now();
    const response = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${token}` }, signal });
    if (!response.ok || !response.body) return latencies.failed(kind, String(response.status));
    latencies.took(kind, startedAt);
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^event: recording\ndata: (.*)$/m.exec(event)?.[1];
        if (data) messages.add(JSON.parse(data) as LiveStatus);
      }
    }
    if (!signal.aborted) latencies.failed(kind, 'it ended');
  } catch (error) {
    if (!signal.aborted) latencies.failed(kind, (error as Error).name);
  }
}
