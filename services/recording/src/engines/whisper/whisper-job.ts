import type { Span } from '../../speech-detector/speech-spans.ts';

/** A window to transcribe. Without pieces the child only loads the model. */
export interface WhisperJob {
  modelPath: string;
  wavPath: string;
  language: string;
  /** '' for none. */
  prompt: string;
  /** The initial temperature; Whisper raises it if the result is improbable. */
  temperature: number;
  pieces: readonly Span[];
}

/** A window's text, and its words with times in ms from the window's start. */
export interface WhisperWindow {
  text: string;
  words: { text: string; startMs: number; endMs: number }[];
}
