import { open } from 'node:fs/promises';
import type { Span } from '../speech-detector/speech-spans.ts';
import { wavBytesPerSample as bytesPerSample, findWavSamples, wavSampleRate as sampleRate } from './wav-samples.ts';

/** The clarity of speech. Levels are in dB below full scale. */
export interface Clarity {
  speechDb: number;
  noiseDb: number;
  /** The share of speech samples that are clipped, 0–1. */
  clippedShare: number;
}

const fullScale = 32_768;
/** Levels are measured per frame of 20 ms. */
const frameSamples = sampleRate / 50;
const frameMs = 20;
const chunkFrames = 500;
/** Two adjacent samples this close to the end of the range are clipped. */
const clippedFrom = 32_700;
/** Speech falls quiet between syllables, so its quietest frames give the noise level. */
const quietestShare = 0.05;
/** The level of digital silence, the minimum of 16 bits. */
const silenceDb = -96;

const decibels = (meanSquare: number): number =>
  Math.round(10 * Math.max(silenceDb, 10 * Math.log10(Math.max(meanSquare, 1e-9) / fullScale ** 2))) / 10;

function mean(numbers: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < numbers.length; at++) sum += numbers[at]!;
  return numbers.length === 0 ? 0 : sum / numbers.length;
}

/** Measures a 16 kHz mono 16-bit WAV. @param speech the parts with speech @throws MediaError if there is no sound */
export async function measureClarity(wavPath: string, speech: readonly Span[], signal: AbortSignal): Promise<Clarity> {
  await using file = await open(wavPath, 'r');
  const { from, length } = await findWavSamples(file);
  const frames = Math.floor(length / bytesPerSample / frameSamples);
  const energies = new Float64Array(frames);
  const clipped = new Uint16Array(frames);
  const chunk = Buffer.alloc(chunkFrames * frameSamples * bytesPerSample);
  for (let first = 0; first < frames; first += chunkFrames) {
    signal.throwIfAborted();
    await file.read(chunk, 0, chunk.length, from + first * frameSamples * bytesPerSample);
    for (let index = first; index < Math.min(first + chunkFrames, frames); index++) {
      let squares = 0;
      let before = 0;
      for (let at = 0; at < frameSamples; at++) {
        const value = chunk.readInt16LE(((index - first) * frameSamples + at) * bytesPerSample);
        squares += value * value;
        if (Math.abs(value) >= clippedFrom && Math.abs(before) >= clippedFrom) clipped[index]! += 1;
        before = value;
      }
      energies[index] = squares / frameSamples;
    }
  }
  const valuesOfSpeech = (values: Float64Array | Uint16Array) =>
    speech.flatMap(({ fromMs, toMs }) => [...values.subarray(Math.ceil(fromMs / frameMs), Math.ceil(toMs / frameMs))]);
  const sorted = energies.toSorted();
  const quietest = sorted.subarray(0, Math.max(1, Math.ceil(sorted.length * quietestShare)));
  return {
    speechDb: decibels(mean(valuesOfSpeech(energies))),
    noiseDb: decibels(mean(quietest)),
    clippedShare: Math.round((1000 * mean(valuesOfSpeech(clipped))) / frameSamples) / 1000,
  };
}
