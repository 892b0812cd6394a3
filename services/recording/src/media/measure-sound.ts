import { open } from 'node:fs/promises';
import { MediaError } from './media-error.ts';
import { wavBytesPerSample as bytesPerSample, findWavSamples, wavSampleRate as sampleRate } from './wav-samples.ts';

interface SoundMeasure {
  durationMs: number;
  /** False for silence and for steady noise. */
  hasSpeech: boolean;
  /** Loudness over time, 0–1, the loudest being 1; all 0 for silence. */
  peaks: number[];
}

const fullScale = 32_768;
/** Speech is detected per frame of 20 ms. */
const frameSamples = sampleRate / 50;
const framesPerSecond = 50;

/** A frame louder than this, in dB below full scale, is not silence. */
const silenceDb = -55;
/** Softer sound may still be a voice, which the speech detector decides. */
const inaudibleDb = -75;
/** Sound shorter than this is a click, not an answer. */
const leastSoundSeconds = 0.2;
/** Speech gets quieter between syllables; hum and hiss vary by less than this, in dB. */
const steadyDb = 4;

const chunkBytes = 256 * 1024;

const decibels = (meanSquare: number): number => 10 * Math.log10(Math.max(meanSquare, 1) / fullScale ** 2);

const quantile = (sorted: Float32Array, share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NEGATIVE_INFINITY;

function soundsLikeSpeech(levelsDb: Float32Array): boolean {
  const sorted = levelsDb.toSorted();
  const loud = levelsDb.filter((level) => level > inaudibleDb).length;
  if (loud < leastSoundSeconds * framesPerSecond) return false;
  return quantile(sorted, 0.95) - quantile(sorted, 0.05) > steadyDb;
}

/**
 * Reads a 16 kHz mono 16-bit WAV once, in pieces.
 * @param buckets the number of peaks
 */
export async function measureSound(wavPath: string, signal: AbortSignal, buckets = 200): Promise<SoundMeasure> {
  await using file = await open(wavPath, 'r');
  const { from, length } = await findWavSamples(file);
  const samples = Math.floor(length / bytesPerSample);
  if (samples === 0) throw new MediaError("The recording's audio is empty.", { permanent: true });
  const highest = new Float64Array(buckets);
  const levelsDb = new Float32Array(Math.ceil(samples / frameSamples));
  const chunk = Buffer.alloc(chunkBytes);
  let sample = 0;
  let squares = 0;
  while (sample < samples) {
    signal.throwIfAborted();
    const wanted = Math.min(chunkBytes, (samples - sample) * bytesPerSample);
    const { bytesRead } = await file.read(chunk, 0, wanted, from + sample * bytesPerSample);
    if (bytesRead < bytesPerSample) break;
    for (let at = 0; at + 1 < bytesRead; at += bytesPerSample) {
      const value = chunk.readInt16LE(at);
      const bucket = Math.floor((sample * buckets) / samples);
      const height = Math.abs(value);
      if (height > highest[bucket]!) highest[bucket] = height;
      squares += value * value;
      sample += 1;
      if (sample % frameSamples === 0 || sample === samples) {
        levelsDb[Math.ceil(sample / frameSamples) - 1] = decibels(squares / (((sample - 1) % frameSamples) + 1));
        squares = 0;
      }
    }
  }
  const loudest = highest.reduce((a, b) => Math.max(a, b), 0);
  const scale = decibels(loudest ** 2) > silenceDb ? loudest : Number.POSITIVE_INFINITY;
  return {
    durationMs: Math.round((samples / sampleRate) * 1000),
    hasSpeech: soundsLikeSpeech(levelsDb),
    peaks: Array.from(highest, (height) => Math.round((height / scale) * 1000) / 1000),
  };
}
