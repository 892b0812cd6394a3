import type { Word } from '@interview-prep/contracts/recordings';

/** What is to be written down. */
export interface TranscriptionRequest {
  /** A 16 kHz mono 16-bit WAV file. */
  wavPath: string;
  /** ISO 639-1, e.g. 'en'. */
  language: string;
  /** Words that are likely to be said, e.g. the question and the technology; '' for none. An engine may ignore it. */
  prompt: string;
  signal: AbortSignal;
}

/** What was said. `words` is empty where the engine gives no times; `text` is '' where nobody speaks. */
export interface Transcript {
  text: string;
  words: Word[];
  /** ISO 639-1. */
  language: string;
  /** The engine and its model. */
  engine: string;
}

/** Turns speech into text. `transcribe` throws EngineError, MediaError, or the signal's reason where it is aborted. */
export interface Transcriber {
  readonly name: string;
  readonly model?: string;
  transcribe(request: TranscriptionRequest): Promise<Transcript>;
}
