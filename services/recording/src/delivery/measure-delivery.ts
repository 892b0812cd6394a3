import type { Delivery, Filler } from '@interview-prep/contracts/recording/delivery';
import { deliveryNorms, type LanguageNorms, languageNorms } from '@interview-prep/contracts/recording/delivery-norms';
import type { Word } from '@interview-prep/contracts/recording/recordings';
import type { Clarity } from '../media/measure-clarity.ts';
import { paddingMs, type Span } from '../speech-detector/speech-spans.ts';
import { judgeSound } from './judge-sound.ts';

const essence = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}'’]+/gu, '');

/** Finds the fillers of a language in a transcript, in order. If two begin at the same word, the longer one counts. */
export function findFillers(words: readonly Pick<Word, 'word'>[], list: LanguageNorms['fillers']): Filler[] {
  const spoken = words.map(({ word }) => essence(word));
  const phrases = list
    .map(({ words: kind, notAfter = [] }) => ({ kind, parts: kind.split(' '), notAfter }))
    .toSorted((a, b) => b.parts.length - a.parts.length);
  const found: Filler[] = [];
  for (let at = 0; at < spoken.length; at++) {
    const phrase = phrases.find(
      ({ parts, notAfter }) =>
        parts.every((part, offset) => spoken[at + offset] === part) && !notAfter.includes(spoken[at - 1] ?? ''),
    );
    if (!phrase) continue;
    const lastWord = at + phrase.parts.length - 1;
    found.push({ kind: phrase.kind, firstWord: at, lastWord });
    at = lastWord;
  }
  return found;
}

export interface SpokenAnswer {
  words: readonly Word[];
  /** ISO 639-1. */
  language: string;
  engine: string;
  /** Speech in which no word was recognized. */
  gaps?: readonly Span[] | undefined;
  speech: readonly Span[];
  durationMs: number;
  /** The length that its set suggests, if any. */
  lengthHintSeconds?: number | undefined;
  clarity: Clarity;
}

const minuteMs = 60_000;
/** The approximate length of the equal pieces in which pace is measured. */
const paceStepMs = 15_000;
/** The pace of fewer words, or less time, is not meaningful. */
const leastWords = 5;
const leastMs = 2000;

/** Engines trained on cleaned-up transcripts: they leave out most hesitations. */
const omitsHesitations = /whisper|gpt/i;

/** How an answer was spoken, from its words, its pauses and its sound. */
export function measureDelivery(answer: SpokenAnswer): Delivery {
  const { words, language, engine, speech, durationMs, lengthHintSeconds, clarity, gaps = [] } = answer;
  const norms = languageNorms[language];
  const spokenMs = speech.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return {
    wordsPerMinute: paceOf(words, gaps),
    pace: paceByPiece(words),
    fillers: norms ? findFillers(words, norms.fillers) : [],
    omitsFillers: omitsHesitations.test(engine),
    pauses: pausesOf(speech),
    firstWordMs: firstSpokenMs(words, gaps) ?? speech[0]?.fromMs ?? null,
    silenceShare: durationMs === 0 ? 0 : Math.round(100 * Math.max(0, 1 - spokenMs / durationMs)) / 100,
    ...(lengthHintSeconds ? { length: { ms: durationMs, hintSeconds: lengthHintSeconds } } : {}),
    sound: judgeSound(clarity),
  };
}

/** Words per minute; null if words can't be counted, as Chinese and Japanese come without spaces. */
function paceOf(words: readonly Word[], gaps: readonly Span[]): number | null {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return null;
  const between = gaps.filter(({ fromMs, toMs }) => fromMs >= first.startMs && toMs <= last.endMs);
  const spokenMs = last.endMs - first.startMs - between.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return words.length < leastWords || spokenMs < leastMs ? null : Math.round((words.length * minuteMs) / spokenMs);
}

/** When the first word was said, whether or not it was recognized. */
function firstSpokenMs(words: readonly Word[], gaps: readonly Span[]): number | undefined {
  const [word, gap] = [words[0]?.startMs, gaps[0]?.fromMs];
  return word !== undefined && gap !== undefined ? Math.min(word, gap) : (word ?? gap);
}

function paceByPiece(words: readonly Word[]): number[] {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return [];
  const spokenMs = last.endMs - first.startMs;
  const steps = Math.round(spokenMs / paceStepMs);
  if (steps < 2) return [];
  const stepMs = spokenMs / steps;
  const counts = new Array<number>(steps).fill(0);
  for (const { startMs } of words) counts[Math.min(steps - 1, Math.floor((startMs - first.startMs) / stepMs))]! += 1;
  return counts.map((count) => Math.round((count * minuteMs) / stepMs));
}

/** The silences between spans. A span is wider than its speech, by `paddingMs` on each side. */
function pausesOf(speech: readonly Span[]): Delivery['pauses'] {
  return speech.slice(1).flatMap(({ fromMs }, at) => {
    const startMs = speech[at]!.toMs - paddingMs;
    const endMs = fromMs + paddingMs;
    return fromMs > speech[at]!.toMs && endMs - startMs >= deliveryNorms.pauseFromMs ? [{ startMs, endMs }] : [];
  });
}
