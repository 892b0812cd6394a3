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
   * Of an answer that is still spoken: how much of it there is. Only windows that further sound can't change are transcribed;
   * there may be none.
   */
  soFarMs?: number;
  /** Windows that were transcribed before, and those of this request, by the engine's own keys. What they resolve to survives JSON. */
  windows?: SpeechWindows;
  signal: AbortSignal;
  /** Called with what was heard so far, where an engine works piece by piece. */
  onProgress?: (progress: TranscriptionProgress) => void;
}

/** What was heard of the beginning, up to the first stretch that was not; `percent`: how much of the speech was heard, 0–100. */
export interface TranscriptionProgress {
  percent: number;
  text: string;
  words: Word[];
}

/** What was said. `words` is empty where the engine gives no times; `text` is '' without speech. */
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

/** Turns speech into text. `transcribe` throws EngineError, MediaError, or the signal's reason where it is aborted. */
export interface Transcriber {
  readonly name: string;
  readonly model?: string;
  /** Whether it honors `soFarMs` and `windows`. */
  readonly worksByWindows?: boolean;
  transcribe(request: TranscriptionRequest): Promise<Transcript>;
  /** Loads the model while the next recording is still looked at. What fails here fails again, and is reported, in `transcribe`. */
  prepare?(): void;
  /** Ends the processes that the engine keeps running between recordings. */
  close?(): void;
}
