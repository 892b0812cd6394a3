/** The level meter's findings about one recording. */
export interface SoundLog {
  /** Whether anything was measured. */
  measured: boolean;
  /** Whether anything was loud enough to be heard. */
  heard: boolean;
  /** Whether a part was not measured: the browser suspended Web Audio, or throttled the page. */
  incomplete: boolean;
}

export function newSoundLog(): SoundLog {
  return { measured: false, heard: false, incomplete: false };
}

/** Whether nothing was heard in the whole recording. False if uncertain. */
export function isSilent({ measured, heard, incomplete }: SoundLog): boolean {
  return measured && !heard && !incomplete;
}

/** The quietest level that the meter shows, in dB below full scale. */
const floorDb = -60;

/** Speech below this level, -48 dBFS, is not understood. */
const heardAbove = 0.2;

/** Silence longer than this is reported. */
export const silenceMs = 5000;

/** The loudness of samples (-1…1), as 0–1 on a decibel scale from -60 dB to full scale. */
export function soundLevel(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const rms = Math.sqrt(sum / Math.max(samples.length, 1));
  if (rms === 0) return 0;
  const db = 20 * Math.log10(rms);
  return Math.min(1, Math.max(0, 1 - db / floorDb));
}

/** Whether a level is audible sound, not room noise. */
export function isHeard(level: number): boolean {
  return level > heardAbove;
}
