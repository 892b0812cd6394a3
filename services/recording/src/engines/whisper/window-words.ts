import type { HeardWord } from './clean-words.ts';
import { lengthOf, recordingMs, type SpeechWindow } from './plan-windows.ts';
import type { WhisperWindow } from './whisper-job.ts';

/** The approximate time per spoken letter. */
const letterMs = 60;

/** A window's words with their times in the recording, and whether each follows a space. */
export function windowWords({ pieces }: Pick<SpeechWindow, 'pieces'>, { text, words }: WhisperWindow): HeardWord[] {
  let at = 0;
  return withinWindow(words, lengthOf(pieces)).map(({ text: word, startMs, endMs }, index) => {
    const found = text.indexOf(word, at);
    const glued = index > 0 && found === at;
    if (found >= 0) at = found + word.length;
    const from = recordingMs({ pieces }, startMs);
    // The binding doesn't expose probabilities.
    return { word, startMs: from, endMs: Math.max(from, recordingMs({ pieces }, endMs)), confidence: null, glued };
  });
}

/**
 * Without an end timestamp, Whisper stretches the last sentence to 30 s, far beyond the window. Its words are then spread over
 * the time up to the window's end by their letters, starting at the last word that leaves enough time.
 */
function withinWindow(words: WhisperWindow['words'], durationMs: number): WhisperWindow['words'] {
  const last = words.at(-1);
  if (!last || last.endMs <= durationMs + 1000) return words;
  let first = words.length;
  let letters = 0;
  do {
    first -= 1;
    letters += words[first]!.text.length;
  } while (first > 0 && durationMs - words[first]!.startMs < letters * letterMs);
  let fromMs = Math.min(words[first]!.startMs, durationMs);
  const msPerLetter = Math.min(letterMs * 2, (durationMs - fromMs) / letters);
  return words.map((word, at) => {
    if (at < first) return word;
    const startMs = fromMs;
    fromMs = Math.round(startMs + word.text.length * msPerLetter);
    return { ...word, startMs, endMs: fromMs };
  });
}
