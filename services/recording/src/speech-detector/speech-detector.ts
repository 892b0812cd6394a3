import { createWarmChildren } from '../children/warm-children.ts';
import type { Span } from './speech-spans.ts';

export interface SpeechDetector {
  /**
   * The spans with speech of a 16 kHz mono 16-bit WAV file, in order; none for silence, noise and music.
   * @param statePath a state file for a growing sound: each call resumes where the last one ended
   * @throws ChildCrash, ChildFailure, or the signal's reason
   */
  findSpeech(wavPath: string, signal: AbortSignal, statePath?: string): Promise<Span[]>;
  close(): void;
}

export interface DetectorJob {
  wavPath: string;
  statePath?: string;
}

/** For 30 s of sound, which usually take about a second. */
const stepTimeoutMs = 60_000;

/** The speech detector in a child process that stays warm for a minute. @param slots the number of concurrent recordings */
export function createSpeechDetector(slots: number): SpeechDetector {
  const module = new URL('./detector-child.ts', import.meta.url);
  const children = createWarmChildren<DetectorJob, null, Span[]>({ module, slots });
  return {
    findSpeech: (wavPath, signal, statePath) =>
      children.run({ wavPath, ...(statePath ? { statePath } : {}) }, { signal, stepTimeoutMs }),
    close: () => children.close(),
  };
}
