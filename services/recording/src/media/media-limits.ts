import type { CommandLimits } from './command-limits.ts';

const mebibyte = 1024 * 1024;

/** Only the first hour is transcribed of a longer recording that does not declare its length. */
export const longestSeconds = 60 * 60;

/** 16 kHz, mono, 16 bit. */
const wavBytesPerSecond = 16_000 * 2;

/**
 * No codec of recordings makes less than this of speech: Opus at its lowest rate makes more than twice as much. The first
 * minute is free, since silence may take next to nothing.
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
 * Limits of ffmpeg for copying the media into a seekable file. A copy that is much larger is none: chunks of the file point
 * at the same bytes, or its blocks are packed.
 */
export function copyLimits(originalBytes: number): CommandLimits {
  return { ...shared, cpuSeconds: 4, fileBytes: originalBytes * 1.25 + mebibyte };
}

/** Limits of ffmpeg for extracting the sound as WAV. An hour of Opus takes 3.5 s of a processor and 55 MB, measured. */
export function extractLimits(originalBytes: number): CommandLimits {
  return { ...shared, cpuSeconds: 10, fileBytes: mostSeconds(originalBytes) * wavBytesPerSecond + mebibyte };
}

/** Limits of ffmpeg for encoding one of the product's own WAV files: an hour takes 8 s, measured. */
export const compressLimits: CommandLimits = { ...shared, cpuSeconds: 60, fileBytes: 64 * mebibyte };

/** The most that ffmpeg may allocate at once, in bytes: the index of a file that declares millions of samples is larger. */
export const largestAllocationBytes = 64 * mebibyte;
