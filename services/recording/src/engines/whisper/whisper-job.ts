import type { Span } from '../../speech-detector/speech-spans.ts';

/** What the child process is asked: to write down the windows of a recording. Without windows it only loads its model. */
export interface WhisperJob {
  modelPath: string;
  threads: number;
  wavPath: string;
  language: string;
  /** '' for none. */
  prompt: string;
  windows: { pieces: Span[] }[];
}

/** A window's text, and its words with times in ms from the window's start. */
export interface WhisperWindow {
  text: string;
  words: { text: string; startMs: number; endMs: number }[];
}
