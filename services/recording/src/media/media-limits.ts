import type { CommandLimits } from './command-limits.ts';

const mebibyte = 1024 * 1024;

/** Only the first hour is transcribed of a longer recording that does not declare its length. */
export const longestSeconds = 60 * 60;

/** 16 kHz, mono, 16 bit. */
const wavBytesPerSecond = 16_000 * 2;

/**
 * No codec compresses speech below this rate: Opus at its lowest rate is more than twice as high. The first minute is
 * exempt, since silence may take next to nothing.
 */
const leastBytesPerSecond = 300;
const freeSeconds = 60;

/** The longest recording that a file of this size can hold. */
export function mostSeconds(sizeBytes: number): number {
  return Math.min(longestSeconds, freeSeconds + sizeBytes / leastBytesPerSecond);
}

const shared = { memoryBytes: 192 * mebibyte, openFiles: 64 };

/** Limits of ffprobe, which reads the headers and writes no file. */
export const probeLimits: CommandLimits = { ...shared, cpuSeconds: 4, fileBytes: 0 };

/**
 * Limits of ffmpeg for copying the media into a seekable file. A much larger copy is a decompression bomb: chunks of the
 * file point at the same bytes, or its blocks are compressed.
 */
export function copyLimits(originalBytes: number): CommandLimits {
  return { ...shared, cpuSeconds: 4, fileBytes: originalBytes * 1.25 + mebibyte };
}

/** Limits of ffmpeg for extracting the sound as WAV. Measured: an hour of Opus takes 3.5 s of CPU time and 55 MB. */
export function extractLimits(originalBytes: number): CommandLimits {
  return { ...shared, cpuSeconds: 10, fileBytes: mostSeconds(originalBytes) * wavBytesPerSecond + mebibyte };
}

/** Limits of ffmpeg for encoding one of the product's own WAV files. Measured: an hour takes 8 s of CPU time. */
export const compressLimits: CommandLimits = { ...shared, cpuSeconds: 60, fileBytes: 64 * mebibyte };

/** The largest single allocation of ffmpeg: the index of a file that declares millions of samples would be larger. */
export const largestAllocationBytes = 64 * mebibyte;
