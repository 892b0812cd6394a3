import { MediaError } from './media-error.ts';
import { longestSeconds, mostSeconds } from './media-limits.ts';
import type { MediaFacts } from './probe-media.ts';

const maxStreams = 8;
const maxChannels = 8;
const sampleRates = { min: 8000, max: 192_000 };

/** Containers round durations, and a browser stops a recorder late. */
const spareSeconds = 5;

/** Rates in headers are averages, and headers take room too. */
const declaredBytesFactor = 2;
const spareBytes = 64 * 1024;

const hertz = (rate: number) => (rate < 1000 ? `${rate} Hz` : `${rate / 1000} kHz`);

/** Why a file is implausible, in words; null if it is plausible. */
const checks: readonly ((declared: MediaFacts['declared'], sizeBytes: number) => string | null)[] = [
  ({ streams }) =>
    streams > maxStreams ? `The recording has ${streams} tracks; at most ${maxStreams} can be read.` : null,
  ({ channels }) =>
    channels > maxChannels ? `The recording has ${channels} sound channels; at most ${maxChannels} can be read.` : null,
  ({ sampleRate }) =>
    sampleRate !== null && (sampleRate < sampleRates.min || sampleRate > sampleRates.max)
      ? `The recording has a sample rate of ${hertz(sampleRate)}; 8 to 192 kHz can be read.`
      : null,
  ({ seconds }) => (seconds > longestSeconds + spareSeconds ? 'The recording is longer than one hour.' : null),
  ({ seconds }, sizeBytes) =>
    seconds > mostSeconds(sizeBytes) + spareSeconds
      ? 'The recording declares a longer time than a file of its size can hold.'
      : null,
  ({ samples, bytes }, sizeBytes) =>
    samples > sizeBytes || bytes > sizeBytes * declaredBytesFactor + spareBytes
      ? 'The recording declares more sound or picture than a file of its size can hold.'
      : null,
];

/**
 * Refuses a file whose headers declare what an answer can't be, before any of it is decoded.
 * @throws MediaError, permanent, with the first reason
 */
export function checkMediaFacts({ declared }: MediaFacts, sizeBytes: number): void {
  for (const check of checks) {
    const reason = check(declared, sizeBytes);
    if (reason !== null) throw new MediaError(reason, { permanent: true });
  }
}
