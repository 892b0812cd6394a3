import { type FileHandle, open } from 'node:fs/promises';
import { MediaError } from './media-error.ts';

/** Samples per second of the WAV files that the media stage makes: mono, 16 bit. */
export const wavSampleRate = 16_000;
export const wavBytesPerSample = 2;

/** The offset and length in bytes of a WAV file's samples. @throws MediaError if there are none */
export async function findWavSamples(file: FileHandle): Promise<{ from: number; length: number }> {
  const { size } = await file.stat();
  const head = Buffer.alloc(8);
  const readHead = async (at: number) => (await file.read(head, 0, head.length, at)).bytesRead === head.length;
  const isRiff = (await readHead(0)) && head.toString('latin1', 0, 4) === 'RIFF';
  // The chunks follow the 12 bytes of the RIFF header. Those before the samples (format, metadata) may have any length.
  for (let at = 12; isRiff && (await readHead(at)); ) {
    const length = head.readUInt32LE(4);
    if (head.toString('latin1', 0, 4) === 'data') return { from: at + 8, length: Math.min(length, size - at - 8) };
    at += 8 + length + (length % 2);
  }
  throw new MediaError("The recording's audio cannot be read.", { permanent: true });
}

/** Reads part of a WAV file as samples from -1 to 1. The part beyond the end is left out. */
export async function readWavSamples(path: string, fromMs: number, toMs: number): Promise<Float32Array> {
  await using file = await open(path, 'r');
  const { from, length } = await findWavSamples(file);
  const byteAt = (ms: number) =>
    Math.min(Math.round((ms * wavSampleRate) / 1000) * wavBytesPerSample, length - (length % wavBytesPerSample));
  // Little-endian, like all supported platforms.
  const integers = new Int16Array(Math.max(0, byteAt(toMs) - byteAt(fromMs)) / wavBytesPerSample);
  const { bytesRead } = await file.read(integers, 0, integers.byteLength, from + byteAt(fromMs));
  const samples = new Float32Array(Math.floor(bytesRead / wavBytesPerSample));
  for (let at = 0; at < samples.length; at++) samples[at] = integers[at]! / 32_768;
  return samples;
}

export async function wavDurationMs(path: string): Promise<number> {
  await using file = await open(path, 'r');
  const { length } = await findWavSamples(file);
  return Math.round((length / wavBytesPerSample / wavSampleRate) * 1000);
}

/** The frames of `readLevels`. */
export const levelFrameMs = 32;
const chunkMs = 1000 * levelFrameMs;

/** The level of each frame of a WAV file, in dB below full scale. */
export async function readLevels(path: string): Promise<Float32Array> {
  const durationMs = await wavDurationMs(path);
  const levels = new Float32Array(Math.ceil(durationMs / levelFrameMs));
  const frameSamples = (levelFrameMs * wavSampleRate) / 1000;
  for (let fromMs = 0; fromMs < durationMs; fromMs += chunkMs) {
    const samples = await readWavSamples(path, fromMs, fromMs + chunkMs);
    for (let at = 0; at < samples.length; at += frameSamples) {
      const end = Math.min(at + frameSamples, samples.length);
      let squares = 0;
      for (let index = at; index < end; index++) squares += samples[index]! ** 2;
      levels[fromMs / levelFrameMs + at / frameSamples] = 10 * Math.log10(Math.max(squares / (end - at), 1e-9));
    }
  }
  return levels;
}
