import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stage } from '@interview-prep/contracts/recording/recordings';
import { createFaultProxy, type FaultProxy } from '@interview-prep/kit/testing/fault-proxy';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hang, json, type OpenAiTestServer, startOpenAiServer } from './engines/openai-test-server.ts';
import { startProcess } from './setup/child-process.ts';
import { type RecordingUnderTest, sendAnswer, startRecording } from './setup/recording-under-test.ts';
import { runningFfmpegs } from './setup/running-programs.ts';
import { longTone, spoken } from './setup/spoken.ts';
import { ended } from './setup/worker-under-test.ts';

// Starts processes.
vi.setConfig({ testTimeout: 300_000 });

let service: RecordingUnderTest;
let candidate: TestUser;
let answer: Buffer;
let silent: OpenAiTestServer;
let speech: OpenAiTestServer;
let link: FaultProxy;

beforeAll(async () => {
  service = await startRecording();
  candidate = await service.identity.user('others');
  answer = await spoken('A closure is a function that keeps the variables of its scope.');
  silent = await startOpenAiServer(hang);
  speech = await startOpenAiServer(json({ text: 'a function that keeps the variables of its scope' }));
  link = await createFaultProxy(service.storeSettings.S3_ENDPOINT ?? '');
});
afterAll(async () => {
  for (const server of [silent, speech]) await server[Symbol.asyncDispose]();
  await link.close();
  await service.close();
});

const speechAt = ({ url }: OpenAiTestServer) => ({ SPEECH_ENGINE: 'openai', SPEECH_URL: url });

it("a killed worker's recording is taken over by another worker", async () => {
  // A killed worker's job is released after three seconds instead of fifteen. With less, a live worker on a busy machine may lose it.
  const impatient = { ...speechAt(speech), JOB_LOCK_MS: '3000' };
  // What blocks each stage. The worker blocked on the verdict has transcribed the answer.
  const holdingUp: [Stage, Record<string, string>][] = [
    ['media', { S3_ENDPOINT: link.url }],
    ['transcription', speechAt(silent)],
    ['assessment', { ASSESS_ENGINE: 'openai', ASSESS_URL: silent.url, ASSESS_MODEL: 'judge' }],
  ];
  let id: string | undefined;
  for (const [stage, settings] of holdingUp) {
    const worker = await startProcess('worker', service, { ...impatient, ...settings });
    if (id === undefined) {
      // Stall the store only once the worker has started, so that the media stage stays in progress.
      link.stall();
      id = await sendAnswer(service, candidate, answer);
    }
    await expect
      .poll(() => service.models.recordings.findById(id).lean(), { timeout: 200_000 })
      .toMatchObject({ stage, stageStatus: 'started' });
    await worker.end('SIGKILL');
    link.mend();
  }
  const last = await startProcess('worker', service, impatient);
  const recording = await ended(service, id ?? '');
  expect(recording).toMatchObject({
    run: 1,
    stage: 'assessment',
    stageStatus: 'completed',
    transcription: { status: 'completed', engine: 'openai whisper-1' },
  });
  expect(await last.end('SIGTERM')).toBe(0);
  // Files that the killed workers left on disk are gone too.
  expect(await readdir(join(service.spoolDir, 'recording-work'))).toEqual([]);
});

/** @returns false if the process has exited */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

/** Suspends the worker's ffmpeg, so that it can't finish before it is killed. @returns its process id */
async function frozenFfmpeg(): Promise<number> {
  for (;;) {
    const [pid] = await runningFfmpegs();
    if (pid !== undefined && sendSignal(pid, 'SIGSTOP')) return pid;
    await pause(20);
  }
}

it('a worker that is stopped together with its ffmpeg releases the recording without counting an attempt', async () => {
  const worker = await startProcess('worker', service, speechAt(speech));
  const id = await sendAnswer(service, candidate, await longTone());
  const ffmpeg = await frozenFfmpeg();
  // A client with an unfinished request to the worker.
  const { port } = new URL(worker.url);
  const asking = connect(Number(port), '127.0.0.1');
  await once(asking, 'connect');
  asking.on('error', () => asking.destroy()).write('GET /healthz HTTP/1.1\r\n');

  const stopped = worker.end('SIGTERM');
  for (const signal of ['SIGTERM', 'SIGCONT'] as const) sendSignal(ffmpeg, signal);
  expect(await stopped).toBe(0);
  expect(await service.models.recordings.findById(id)).toMatchObject({
    awaiting: 'media',
    stageStatus: 'pending',
    interruptions: 0,
  });
  expect((await service.jobs.queue('media').getJob(`${id}-1`))?.attemptsMade).toBe(0);
});
