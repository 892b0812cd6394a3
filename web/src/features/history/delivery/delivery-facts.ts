import type { Delivery } from '@interview-prep/contracts/recording/delivery';
import { deliveryNorms, languageNorms } from '@interview-prep/contracts/recording/delivery-norms';
import { answerLength, roundTime } from '../../../lib/formats.ts';
import type { SessionRecording } from '../session-types.ts';

/** A delivery metric of an answer, with its target. */
export interface DeliveryFact {
  label: string;
  value: string;
  /** The target, such as 'aim for 110–170'; '' if there is none. */
  norm: string;
  /** The advice if the metric is off target; '' otherwise. */
  advice: string;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const percent = (share: number) => `${Math.round(share * 100)}%`;
const decibels = (level: number) => `${String(Math.round(level)).replace('-', '−')} dB`;
const minuteMs = 60_000;

const soundAdvice = {
  quiet: 'too quiet to hear well: move closer',
  noisy: 'hard to hear over the noise: find a quieter place',
  clipped: 'too loud for the microphone: move back a little',
} as const;

const soundValue = ({ sound }: Delivery): string =>
  sound.problem === 'clipped'
    ? `${percent(sound.clippedShare)} clipped`
    : sound.problem === 'noisy'
      ? `${decibels(sound.speechDb)}, noise ${decibels(sound.noiseDb)}`
      : decibels(sound.speechDb);

/** Counts of each filler, most frequent first: 'um 3, you know 1'. */
export function fillerCounts({ fillers }: Pick<Delivery, 'fillers'>): { kind: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { kind } of fillers) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((a, b) => b.count - a.count);
}

type Measured = Pick<SessionRecording, 'delivery' | 'durationMs'> & {
  transcription: Pick<SessionRecording['transcription'], 'language'>;
};

/** An answer's delivery metrics in display order; empty if nothing was measured. */
export function deliveryFacts({ delivery, durationMs, transcription }: Measured): DeliveryFact[] {
  if (!delivery) return [];
  return [
    lengthFact(delivery),
    paceFact(delivery, transcription.language),
    fillerFact(delivery, durationMs),
    pauseFact(delivery),
    firstWordFact(delivery),
    silenceFact(delivery),
    {
      label: 'Loudness',
      value: soundValue(delivery),
      norm: '',
      advice: delivery.sound.problem ? soundAdvice[delivery.sound.problem] : '',
    },
  ].filter((fact) => fact !== null);
}

/** Compares an answer's length with the set's suggestion. */
export function lengthVerdict({ ms, hintSeconds }: NonNullable<Delivery['length']>): 'shorter' | 'longer' | null {
  const [least, most] = deliveryNorms.lengthShare;
  const share = ms / 1000 / hintSeconds;
  return share < least ? 'shorter' : share > most ? 'longer' : null;
}

function lengthFact({ length }: Delivery): DeliveryFact | null {
  if (!length) return null;
  const verdict = lengthVerdict(length);
  return {
    label: 'Length',
    value: answerLength(length.ms),
    norm: `suggested ${roundTime(length.hintSeconds)}`,
    advice: verdict ? `${verdict} than suggested` : '',
  };
}

function paceFact({ wordsPerMinute }: Delivery, language: string | undefined): DeliveryFact | null {
  if (wordsPerMinute === null) return null;
  const usual = languageNorms[language ?? '']?.wordsPerMinute;
  const [slow, fast] = usual ?? [0, Number.POSITIVE_INFINITY];
  return {
    label: 'Pace',
    value: `${wordsPerMinute} words per minute`,
    norm: usual ? `aim for ${slow}–${fast}` : '',
    advice: wordsPerMinute < slow ? 'slow' : wordsPerMinute > fast ? 'fast' : '',
  };
}

function fillerFact(delivery: Delivery, durationMs: number | null): DeliveryFact {
  const counts = fillerCounts(delivery);
  const total = delivery.fillers.length;
  const perMinute = durationMs ? (total * minuteMs) / durationMs : 0;
  const kinds = counts.map(({ kind, count }) => `${kind} ${count}`).join(', ');
  return {
    label: 'Fillers',
    value: total === 0 ? 'None' : `${total}: ${kinds}`,
    norm: `aim for fewer than ${deliveryNorms.fillersPerMinuteAtMost} per minute`,
    advice: total >= 3 && perMinute > deliveryNorms.fillersPerMinuteAtMost ? 'many: pause instead' : '',
  };
}

function pauseFact({ pauses }: Delivery): DeliveryFact {
  const longest = Math.max(0, ...pauses.map(({ startMs, endMs }) => endMs - startMs));
  return {
    label: 'Pauses over 2 s',
    value: pauses.length === 0 ? 'None' : `${pauses.length}, the longest ${seconds(longest)}`,
    norm: '',
    advice: '',
  };
}

function firstWordFact({ firstWordMs }: Delivery): DeliveryFact | null {
  if (firstWordMs === null) return null;
  const { firstWordWithinMs } = deliveryNorms;
  return {
    label: 'First word',
    value: `after ${seconds(firstWordMs)}`,
    norm: `aim for within ${firstWordWithinMs / 1000} s`,
    advice: firstWordMs > firstWordWithinMs ? 'late' : '',
  };
}

function silenceFact({ silenceShare }: Delivery): DeliveryFact {
  const { silenceShareAtMost } = deliveryNorms;
  return {
    label: 'Silence',
    value: percent(silenceShare),
    norm: `aim for at most ${percent(silenceShareAtMost)}`,
    advice: silenceShare > silenceShareAtMost ? 'a lot' : '',
  };
}
