import type { Word } from '@interview-prep/contracts/recording/recordings';
import type { Span } from '../speech-detector/speech-spans.ts';

/** Windows of a recording, by an engine's own keys. Two requests with the same map transcribe each window once. */
export type SpeechWindows = Map<string, Promise<unknown>>;

/** A recording to transcribe. */
export interface TranscriptionRequest {
  /** A 16 kHz mono 16-bit WAV file. */
  wavPath: string;
  /** Where there is speech, in order; never empty. An engine may ignore it. */
  speech: readonly Span[];
  /** ISO 639-1, e.g. 'en'. */
  language: string;
  /** Terms that are likely to be said, the likeliest first. An engine may ignore them. */
  glossary: readonly string[];
  /**
   * Set while an answer is still being spoken: its length so far. Only windows that further sound can't change are
   * transcribed; there may be none.
   */
  soFarMs?: number;
  /** Earlier windows, and those of this request, by the engine's own keys. They must resolve to JSON values. */
  windows?: SpeechWindows;
  signal: AbortSignal;
  /** Called with partial transcripts, if the engine supports them. */
  onProgress?: (progress: TranscriptionProgress) => void;
}

/** The transcript up to the first missing window; `percent` is the share of the speech transcribed so far, 0–100. */
export interface TranscriptionProgress {
  percent: number;
  text: string;
  words: Word[];
}

/** `words` is empty if the engine gives no times; `text` is '' without speech. */
export interface Transcript {
  text: string;
  words: Word[];
  /** ISO 639-1. */
  language: string;
  /** The engine and its model. */
  engine: string;
  /** Speech in which no word was recognized, even after another try. */
  gaps?: Span[];
}

/** Turns speech into text. `transcribe` throws EngineError, MediaError, or the signal's reason if aborted. */
export interface Transcriber {
  readonly name: string;
  readonly model?: string;
  /** Whether it honors `soFarMs` and `windows`. */
  readonly worksByWindows?: boolean;
  transcribe(request: TranscriptionRequest): Promise<Transcript>;
  /** Preloads the model while the next recording is being prepared. Failures are reported by `transcribe`. */
  prepare?(): void;
  /** Stops the processes that the engine keeps between recordings. */
  close?(): void;
}
