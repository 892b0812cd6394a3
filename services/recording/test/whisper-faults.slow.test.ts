import { setTimeout as pause } from 'node:timers/promises';
import { RecordingSnapshot } from '@interview-prep/contracts/events/snapshots';
import { type OwnedLiveStatus, subscribeLiveStatus } from '@interview-prep/kit/redis/live-status';
import { connectWorker } from '@interview-prep/kit/redis/redis';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wordAccuracy } from './engines/spoken-answer.ts';
import { startProcess } from './setup/child-process.ts';
import { type RecordingUnderTest, sendAnswer, startRecording } from './setup/recording-under-test.ts';
import { processorSeconds, whisperChildren } from './setup/running-programs.ts';
import { spoken } from './setup/spoken.ts';
import { ended } from './setup/worker-under-test.ts';

// Starts a worker, and recognizes speech twice.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const said =
  'A closure is a function that keeps the variables of its scope. It is made where the function is defined, and lives as long as the function does.';
let service: RecordingUnderTest;
let candidate: TestUser;
let answer: Buffer;
let subscriber: Redis;
const statuses: OwnedLiveStatus[] = [];

beforeAll(async () => {
  service = await startRecording();
  candidate = await service.identity.user('others');
  answer = await spoken(said);
  const { settings, log } = service.backing;
  subscriber = connectWorker(settings.REDIS_URL, log);
  await subscribeLiveStatus(subscriber, settings.REDIS_PREFIX, (status) => statuses.push(status), log);
});
afterAll(async () => {
  subscriber.disconnect();
  await service.close();
});

const send = () => sendAnswer(service, candidate, answer);

/** A child, other than `other`, that has loaded its model and is transcribing. */
async function listeningChild(other?: number): Promise<number> {
  for (;;) {
    for (const pid of await whisperChildren()) if (pid !== other && (await processorSeconds(pid)) > 1) return pid;
    await pause(100);
  }
}

/** Expects that the recording is complete, and that each stage was completed once. */
async function expectWhole(id: string, engine: RegExp | string): Promise<void> {
  const recording = await ended(service, id);
  expect(recording).toMatchObject({ run: 1, stage: 'assessment', stageStatus: 'completed' });
  const { text, words = [], engine: used } = recording.transcription;
  expect(used).toMatch(engine);
  expect(wordAccuracy(said, text)).toBeGreaterThanOrEqual(0.6);
  // Nothing is transcribed twice.
  expect(words.length).toBeLessThan(said.split(' ').length * 1.3);
  const completedStages = async () => {
    const jobs = await service.allJobs.queue('history').getJobs(['waiting'], 0, -1, true);
    return jobs
      .map(({ data }) => RecordingSnapshot.parse(data.recording))
      .filter(({ recordingId, stageStatus }) => recordingId === id && stageStatus === 'completed')
      .map(({ stage }) => stage)
      .toSorted();
  };
  await expect.poll(completedStages).toEqual(['assessment', 'media', 'transcription']);
}

/** Lets a process run for only a twentieth of the next four seconds. */
async function starve(pid: number): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    process.kill(pid, 'SIGSTOP');
    await pause(380);
    process.kill(pid, 'SIGCONT');
    await pause(20);
  }
}

describe('a Whisper child that, in the middle of a transcription,', () => {
  it('is killed, or gets a twentieth of the CPU, loses and duplicates no answer', async () => {
    const worker = await startProcess('worker', service);
    const id = await send();
    const killed = await listeningChild();
    process.kill(killed, 'SIGKILL');
    await starve(await listeningChild(killed));
    await expectWhole(id, 'whisper base-q8_0');
    // The page received the progress and the first words.
    const progress = statuses.flatMap((status) =>
      'recordingId' in status && status.recordingId === id ? (status.progress ?? []) : [],
    );
    expect(progress.at(-1)?.percent).toBe(100);
    expect(wordAccuracy(said, progress.at(-1)?.text ?? '')).toBeGreaterThanOrEqual(0.6);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await whisperChildren()).toEqual([]);
  });
});
