import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { InterviewDetail } from '@interview-prep/contracts/history/history';
import { wavDurationMs } from '../../../../services/recording/src/media/wav-samples.ts';
import { type ApiClient, signIn } from '../api-client.ts';
import type { Bench } from '../measure.ts';
import { descendants, processorSeconds, proportionalMegabytes } from '../processes.ts';
import { speak } from './clips.ts';
import answers from './technical-answers.json' with { type: 'json' };

/** The transcription of one long answer. Times in seconds since the upload was accepted. */
export interface HeardAnswer {
  answerSeconds: number;
  firstWordsSeconds: number;
  transcriptSeconds: number;
  /** The CPU time of the worker and its children, up to the verdict. */
  processorSeconds: number;
  childMegabytes: number;
}

/** The questions that answers are sent to. Not the same one, since the judge remembers passages that it has read. */
const questions = { whole: 1, spoken: 0 };

/** A technical answer of at least this many seconds that ends with a full sentence, as Chromium records it. */
async function longAnswer(seconds: number, folder: string): Promise<{ media: Blob; durationMs: number }> {
  const name = join(folder, `answer-${seconds}-${randomUUID()}`);
  const [wav, media] = [`${name}.wav`, `${name}.webm`];
  const sentences = answers.flatMap(({ said }) => said.split(/(?<=[.?!]) /));
  let count = 0;
  do await speak(sentences.slice(0, ++count).join(' '), 'slt', wav);
  while ((await wavDurationMs(wav)) < seconds * 1000);
  const encode = ['-c:a', 'libopus', '-b:a', '48k', media];
  await promisify(execFile)('ffmpeg', ['-nostdin', '-y', '-v', 'error', '-i', wav, ...encode]);
  return { media: new Blob([await readFile(media)], { type: 'audio/webm' }), durationMs: await wavDurationMs(wav) };
}

const worker = 'services/recording/src/worker.ts';
const children = ['whisper-child.ts', 'detector-child.ts', 'judge-child.ts'];

const running = (...scripts: string[]) =>
  descendants(process.pid).flatMap(({ pid, command }) =>
    scripts.some((script) => command.includes(script)) ? [pid] : [],
  );

const processorSecondsNow = () =>
  running(worker, ...children).reduce((sum, pid) => sum + processorSeconds(pid, { withExited: true }), 0);

/** Resolves when the first words of an answer reach an open page. */
async function firstWords(url: string, { token }: ApiClient, signal: AbortSignal): Promise<number> {
  const response = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${token}` }, signal });
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (/"progress":\{"percent":\d+,"text":"[^"]/.test(text)) return performance.now();
  }
  throw new Error('The event stream ended before the first words');
}

/** Each poll costs the measured product time. */
const pollMs = 100;

async function transcribed({ get }: ApiClient, interviewId: string): Promise<number> {
  for (;;) {
    const path = `/api/interviews/${interviewId}`;
    const { recordings } = await get<InterviewDetail>(path).catch(() => ({ recordings: [] }));
    const status = recordings[0]?.transcription.status ?? 'pending';
    if (status === 'completed') return performance.now();
    if (status === 'failed') throw new Error('The answer was not transcribed');
    await pause(pollMs);
  }
}

async function judged({ get }: ApiClient, interviewId: string): Promise<number> {
  for (;;) {
    const { recordings } = await get<InterviewDetail>(`/api/interviews/${interviewId}`);
    if (recordings[0]?.assessment.status !== 'pending') return performance.now();
    await pause(pollMs);
  }
}

/** Sends an answer of this many seconds to the running product and follows its processing. */
export async function hearAnswer(seconds: number, { stack, folder }: Bench): Promise<HeardAnswer> {
  const client = await signIn(stack);
  const set = (await client.interviewSets())[0];
  if (!set) throw new Error('There is no interview set');
  const { media } = await longAnswer(seconds, folder);
  const watching = new AbortController();
  const usedBefore = processorSecondsNow();
  let childMegabytes = 0;
  const watchMemory = (async () => {
    while (!watching.signal.aborted) {
      const together = running('whisper-child.ts').reduce((sum, pid) => sum + proportionalMegabytes(pid), 0);
      childMegabytes = Math.max(childMegabytes, together);
      await pause(250);
    }
  })();
  try {
    const words = firstWords(stack.url, client, watching.signal);
    const { interviewId } = await client.upload(media, set, questions.whole);
    const start = performance.now();
    const ends = await Promise.all([words, transcribed(client, interviewId)]);
    const [firstWordsSeconds = 0, transcriptSeconds = 0] = ends.map((end) => (end - start) / 1000);
    await judged(client, interviewId);
    const used = processorSecondsNow() - usedBefore;
    return {
      answerSeconds: seconds,
      firstWordsSeconds,
      transcriptSeconds,
      processorSeconds: used,
      childMegabytes,
    };
  } finally {
    watching.abort();
    await watchMemory;
  }
}

/** The processing of an answer that was sent while it was spoken. Times in seconds since Stop. */
export interface SpokenAnswer {
  answerSeconds: number;
  transcriptSeconds: number;
  verdictSeconds: number;
  /** The CPU time of the worker and its children, from the start of the answer to the verdict. */
  processorSeconds: number;
}

/** The recorder's interval. */
const partMs = 2000;

/** Sends an answer in parts in real time, and waits for its verdict. */
export async function hearWhileSpoken(
  seconds: number,
  { stack, folder }: Bench,
  email = 'candidate@example.com',
): Promise<SpokenAnswer> {
  const client = await signIn(stack, email);
  const set = (await client.interviewSets())[0];
  if (!set) throw new Error('There is no interview set');
  const { media, durationMs } = await longAnswer(seconds, folder);
  const bytes = await media.bytes();
  const usedBefore = processorSecondsNow();
  const path = `/api/uploads/${randomUUID()}`;
  const call = async <Result>(method: string, under: string, body: object | Uint8Array<ArrayBuffer>) => {
    const isPart = body instanceof Uint8Array;
    const digest = isPart ? createHash('sha256').update(body).digest('base64') : '';
    const response = await fetch(`${stack.url}${path}${under}`, {
      method,
      headers: {
        authorization: `Bearer ${client.token}`,
        'content-type': isPart ? 'application/octet-stream' : 'application/json',
        ...(isPart ? { 'content-digest': `sha-256=:${digest}:` } : {}),
      },
      body: isPart ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${under} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as Result;
  };
  await call('PUT', '', { kind: 'interview', setId: set._id, sessionId: randomUUID(), questionId: questions.spoken });
  const parts = Math.ceil(durationMs / partMs);
  const sizeBytes = Math.ceil(bytes.length / parts);
  for (let part = 0; part < parts; part += 1) {
    await pause(durationMs / parts);
    await call('PUT', `/parts/${part}`, bytes.slice(part * sizeBytes, (part + 1) * sizeBytes));
  }
  const stop = performance.now();
  type Completed = { recording: { interviewId: string } };
  const { interviewId } = (await call<Completed>('POST', '/complete', { parts })).recording;
  const transcriptSeconds = ((await transcribed(client, interviewId)) - stop) / 1000;
  const verdictSeconds = ((await judged(client, interviewId)) - stop) / 1000;
  const used = processorSecondsNow() - usedBefore;
  return { answerSeconds: seconds, transcriptSeconds, verdictSeconds, processorSeconds: used };
}
