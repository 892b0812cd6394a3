import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Container } from '../src/media/sniff-media.ts';
import { temporaryFolder } from './engines/spoken-answer.ts';
import { attackFiles } from './hostile-media/attack-files.ts';
import { goodFiles } from './hostile-media/good-files.ts';
import { allowedCost, type MediaCost, measureMedia, takenAs } from './hostile-media/measure-media.ts';
import { mutate } from './hostile-media/mutations.ts';
import { type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { ended, startWorker } from './setup/worker-under-test.ts';

/** Only a few; `npm run bench -- hostile-media` tries 500 per container. */
const mutationsPerContainer = 3;
const containers: readonly Container[] = ['webm', 'mp4', 'ogg', 'mp3', 'wav'];

function expectCheap(cost: MediaCost): void {
  expect(cost.seconds).toBeLessThanOrEqual(allowedCost.seconds);
  expect(cost.memoryMegabytes).toBeLessThanOrEqual(allowedCost.memoryMegabytes);
  expect(cost.diskMegabytes).toBeLessThanOrEqual(allowedCost.diskMegabytes);
  expect(cost.triedAgain).toBe(false);
  if (cost.reason !== null) expect(cost.reason).toMatch(/^[A-Z].* .*\.$/);
}

describe('an attack file is rejected with a reason, at little cost', () => {
  it.each(attackFiles.map((file) => [file.name, file] as const))('%s', async (_name, { container, make, harmless }) => {
    const bytes = make();
    expect(takenAs(bytes)).toBe(container);
    const cost = await measureMedia(bytes, container);
    expectCheap(cost);
    expect(cost.reason === null).toBe(harmless === true);
  });
});

describe('a damaged file is processed or rejected, at little cost', () => {
  it.each(containers)('%s', async (container) => {
    await using folder = await temporaryFolder();
    const good = await goodFiles(container, folder.path);
    for (const bytes of good) expect((await measureMedia(bytes, container)).reason).toBeNull();
    for (let seed = 0; seed < mutationsPerContainer; seed++) {
      const bytes = mutate(good[seed % good.length]!, seed);
      const as = takenAs(bytes);
      if (as) expectCheap(await measureMedia(bytes, as));
    }
  });
});

describe('an upload of an attack file', () => {
  let service: RecordingUnderTest;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    service = await startRecording();
    stop = await startWorker(service);
  });
  afterAll(async () => {
    await stop();
    await service.close();
  });

  it.each([
    ['700 chunks', 'The recording declares more sound or picture than a file of its size can hold.'],
    ['1 Hz', 'The recording has a sample rate of 1 Hz; 8 to 192 kHz can be read.'],
  ])('fails at the first attempt with a readable reason: %s', async (name, reason) => {
    const file = attackFiles.find((attack) => attack.name.includes(name))!.make();
    const { setId } = await service.addSet();
    const { status, body } = await upload(service.server, await service.identity.user('others'), file, { setId });
    expect(status).toBe(201);
    const recording = await ended(service, body.recording._id);
    expect(recording).toMatchObject({
      stage: 'media',
      stageStatus: 'failed',
      transcription: { status: 'failed', error: reason },
      leaseVersion: 1,
    });
    for (const folder of await readdir(service.spoolDir))
      expect(await readdir(join(service.spoolDir, folder))).toEqual([]);
  });
});
