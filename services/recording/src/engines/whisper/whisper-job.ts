import type { Span } from '../../speech-detector/speech-spans.ts';

/** A window to transcribe. Without pieces the child only loads its model. */
export interface WhisperJob {
  modelPath: string;
  wavPath: string;
  language: string;
  /** '' for none. */
  prompt: string;
  /** Where decoding starts; Whisper raises it by itself where the result is improbable. */
  temperature: number;
  pieces: readonly Span[];
}

/** A window's text, and its words with times in ms from the window's start. */
export interface WhisperWindow {
  text: string;
  words: { text: string; startMs: number; endMs: number }[];
}
