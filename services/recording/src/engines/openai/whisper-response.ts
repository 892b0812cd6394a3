import type { Word } from '@interview-prep/contracts/recording/recordings';
import { z } from 'zod';

const TimedWord = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  /** Not OpenAI's; whisper.cpp and faster-whisper give it. */
  probability: z.number().nullish(),
});
type TimedWord = z.infer<typeof TimedWord>;

const Segment = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  no_speech_prob: z.number().nullish(),
  avg_logprob: z.number().nullish(),
  words: z.array(TimedWord).nullish(),
});
type Segment = z.infer<typeof Segment>;

/** What transcription servers answer to `verbose_json` and `json`; all but the text may be missing. Times in seconds. */
export const WhisperResponse = z.object({
  text: z.string(),
  language: z.string().nullish(),
  words: z.array(TimedWord).nullish(),
  segments: z.array(Segment).nullish(),
});
export type WhisperResponse = z.infer<typeof WhisperResponse>;

/** Whisper invents text where nobody speaks. Its decoder recognises such a segment by these values. */
const noSpeechFrom = 0.6;
const unsureBelow = -1;
const isInvented = ({ no_speech_prob, avg_logprob }: Segment): boolean =>
  (no_speech_prob ?? 0) > noSpeechFrom && (avg_logprob ?? 0) < unsureBelow;

const toMs = (seconds: number): number => Math.max(0, Math.round(seconds * 1000));

const wordFrom = ({ word, start, end, probability }: TimedWord): Word => ({
  word: word.trim(),
  startMs: toMs(start),
  endMs: Math.max(toMs(start), toMs(end)),
  confidence: probability == null ? null : Math.min(1, Math.max(0, probability)),
});

/** A segment's words, their times shared out by their lengths, where the server gives none. */
function shareOut({ text, start, end }: Segment): TimedWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  return words.map((word) => {
    const from = start + ((end - start) * before) / letters;
    before += word.length;
    return { word, start: from, end: start + ((end - start) * before) / letters };
  });
}

/** The text and words of a server's answer, without what Whisper invented for silence. No times given: no words. */
export function readWhisperResponse(response: WhisperResponse): { text: string; words: Word[] } {
  const segments = response.segments ?? [];
  const invented = segments.filter(isInvented);
  const spoken = segments.filter((segment) => !isInvented(segment));
  const inInvented = ({ start, end }: TimedWord) =>
    invented.some((segment) => start >= segment.start && end <= segment.end);
  const timed = response.words?.length
    ? response.words.filter((word) => !inInvented(word))
    : spoken.flatMap((segment) => (segment.words?.length ? segment.words : shareOut(segment)));
  const text = invented.length > 0 ? spoken.map((segment) => segment.text.trim()).join(' ') : response.text;
  return { text: text.trim(), words: timed.map(wordFrom).filter(({ word }) => word !== '') };
}
