import type { HeardWord } from './clean-words.ts';
import { recordingMs, type SpeechWindow } from './plan-windows.ts';
import type { WhisperWindow } from './whisper-job.ts';

/** A window's words with their times in the recording, and whether a space stands before each. */
export function windowWords(window: Pick<SpeechWindow, 'pieces'>, { text, words }: WhisperWindow): HeardWord[] {
  let at = 0;
  return words.map(({ text: word, startMs, endMs }, index) => {
    const found = text.indexOf(word, at);
    const glued = index > 0 && found === at;
    if (found >= 0) at = found + word.length;
    const from = recordingMs(window, startMs);
    // The binding gives no probabilities.
    return { word, startMs: from, endMs: Math.max(from, recordingMs(window, endMs)), confidence: null, glued };
  });
}
