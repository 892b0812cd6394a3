import type { Delivery } from '@interview-prep/contracts/recording/delivery';
import { deliveryNorms, languageNorms } from '@interview-prep/contracts/recording/delivery-norms';
import { answerLength, roundTime } from '../../../lib/formats.ts';
import type { SessionRecording } from '../session-types.ts';
import { fillerCounts, lengthVerdict } from './delivery-facts.ts';

const minuteMs = 60_000;

const numbers = (ids: readonly number[]) =>
  `${ids.length === 1 ? 'question' : 'questions'} ${ids.map((id) => id + 1).join(', ')}`;

/**
 * Sums up a session's delivery in one line: the most important issue, or the pace if there is none. Null if nothing
 * was measured.
 */
export function deliverySummary(recordings: readonly SessionRecording[]): string | null {
  const measured = recordings.flatMap(({ delivery, ...rest }) => (delivery ? [{ ...rest, delivery }] : []));
  if (measured.length === 0) return null;
  const where = (matches: (recording: (typeof measured)[number]) => boolean) =>
    measured.filter(matches).map(({ questionId }) => questionId);

  const quiet = where(({ delivery }) => delivery.sound.problem === 'quiet');
  if (quiet.length > 0) return `Too quiet to hear well in ${numbers(quiet)}: move closer to the microphone.`;
  const noisy = where(({ delivery }) => delivery.sound.problem === 'noisy');
  if (noisy.length > 0) return `Noise made ${numbers(noisy)} hard to hear: find a quieter place.`;
  const clipped = where(({ delivery }) => delivery.sound.problem === 'clipped');
  if (clipped.length > 0) return `Too loud for the microphone in ${numbers(clipped)}: move back a little.`;

  const length = lengthLine(measured);
  if (length) return length;

  const fillers = measured.flatMap(({ delivery }) => delivery.fillers);
  const minutes = measured.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0) / minuteMs;
  if (fillers.length >= 3 && fillers.length > minutes * deliveryNorms.fillersPerMinuteAtMost) {
    const [{ kind } = { kind: '' }] = fillerCounts({ fillers });
    return `${fillers.length} filler words, most often “${kind}”: a short pause sounds surer.`;
  }
  const paced = measured.flatMap(({ delivery, transcription, durationMs }) =>
    delivery.wordsPerMinute === null
      ? []
      : [{ pace: delivery.wordsPerMinute, language: transcription.language ?? '', weight: durationMs ?? 1 }],
  );
  const weight = paced.reduce((sum, each) => sum + each.weight, 0);
  if (weight === 0) return null;
  const pace = Math.round(paced.reduce((sum, each) => sum + each.pace * each.weight, 0) / weight);
  const usual = languageNorms[paced[0]?.language ?? '']?.wordsPerMinute;
  if (!usual) return `${pace} words per minute.`;
  const [slow, fast] = usual;
  const verdict = pace < slow ? 'Slow' : pace > fast ? 'Fast' : 'Good';
  return `${verdict} pace: ${pace} words per minute${verdict === 'Good' ? '' : ` · aim for ${slow}–${fast}`}.`;
}

/** Advice on answers much shorter or longer than their set suggests; null if there are none. */
function lengthLine(measured: readonly { delivery: Delivery; questionId: number }[]): string | null {
  for (const verdict of ['shorter', 'longer'] as const) {
    const found = measured.filter(({ delivery }) => delivery.length && lengthVerdict(delivery.length) === verdict);
    const [first] = found;
    if (!first?.delivery.length) continue;
    const { ms, hintSeconds } = first.delivery.length;
    const hint = `suggested length ${roundTime(hintSeconds)}`;
    if (found.length === 1) return `Question ${first.questionId + 1} lasted ${answerLength(ms)}; ${hint}.`;
    const same = found.every(({ delivery }) => delivery.length?.hintSeconds === hintSeconds);
    const ids = numbers(found.map(({ questionId }) => questionId));
    return `Your answers to ${ids} are ${verdict} than suggested${same ? ` (${roundTime(hintSeconds)})` : ''}.`;
  }
  return null;
}
