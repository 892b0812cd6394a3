import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureSound } from '../../src/media/measure-sound.ts';
import { ffmpeg, speakAsWebm, temporaryFolder, wavOf } from '../engines/spoken-answer.ts';

const { signal } = new AbortController();

/** The WAV file of these 16 kHz mono samples. */
function wavFile(samples: Int16Array): Buffer {
  const header = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data\0\0\0\0',
    'latin1',
  );
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}

describe('measureSound', () => {
  it.each([
    ['silence', 'anullsrc=r=16000:cl=mono:d=3', false],
    ['a hum', 'sine=frequency=50:r=16000:d=3', false],
    ['steady hiss', 'anoisesrc=r=16000:d=3:a=0.05', false],
    ['a click', 'aevalsrc=if(between(t\\,1\\,1.05)\\,0.5\\,0):s=16000:d=3', false],
  ])('detects no speech in %s', async (_, source, hasSpeech) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'sound.wav');
    await ffmpeg('-f', 'lavfi', '-i', source, path);
    expect(await measureSound(path, signal)).toMatchObject({ hasSpeech, durationMs: 3000 });
  });

  it('skips any header before the samples, whatever its length', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'sound.wav');
    const silence = wavFile(new Int16Array(32_000));
    const metadata = Buffer.alloc(100_000, 'INFO and noise');
    metadata.write('LIST', 0, 'latin1');
    metadata.writeUInt32LE(metadata.length - 8, 4);
    await writeFile(path, Buffer.concat([silence.subarray(0, 36), metadata, silence.subarray(36)]));
    const { durationMs, peaks } = await measureSound(path, signal);
    expect(durationMs).toBe(2000);
    expect(Math.max(...peaks)).toBe(0);
  });

  it.each([
    ['clear', 'anull'],
    ['quiet', 'volume=-30dB'],
    ['over hiss', 'volume=0.5,aeval=val(0)+0.01*(random(0)-0.5):c=same'],
  ])('detects speech that is %s', async (_, filter) => {
    await using folder = await temporaryFolder();
    const spoken = await wavOf(
      await speakAsWebm('A promise is either fulfilled or rejected.', folder.path),
      folder.path,
    );
    const path = join(folder.path, 'changed.wav');
    await ffmpeg('-i', spoken, '-af', filter, path);
    const { hasSpeech, peaks } = await measureSound(path, signal);
    expect(hasSpeech).toBe(true);
    expect(peaks).toHaveLength(200);
    expect(Math.max(...peaks)).toBe(1);
  });

  it('draws the waveform of any sound between 0 and 1, with its loudest place at 1', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'sound.wav');
    await fc.assert(
      fc.asyncProperty(
        fc.int16Array({ minLength: 1, maxLength: 3000 }),
        fc.integer({ min: 1, max: 300 }),
        async (samples, buckets) => {
          await writeFile(path, wavFile(samples));
          const { peaks, durationMs } = await measureSound(path, signal, buckets);
          expect(peaks).toHaveLength(buckets);
          expect(durationMs).toBe(Math.round(samples.length / 16));
          const loudest = samples.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
          if (loudest > 100) expect(Math.max(...peaks)).toBe(1);
          expect(Math.min(...peaks)).toBeGreaterThanOrEqual(0);
          expect(Math.max(...peaks)).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('finds the position of a sound', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'sound.wav');
    const samples = new Int16Array(16_000);
    samples[12_001] = -20_000;
    samples[4001] = 10_000;
    await writeFile(path, wavFile(samples));
    expect((await measureSound(path, signal, 4)).peaks).toEqual([0, 0.5, 0, 1]);
  });

  it('reports a file without sound', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'sound.wav');
    await writeFile(path, wavFile(new Int16Array()));
    await expect(measureSound(path, signal)).rejects.toMatchObject({ name: 'MediaError', permanent: true });
    await writeFile(path, 'no sound at all');
    await expect(measureSound(path, signal)).rejects.toMatchObject({ name: 'MediaError', permanent: true });
  });
});
