import type { QuestionTake } from '@interview-prep/contracts/history';
import { pointShares, stateOf } from '@interview-prep/contracts/point-states';
import type { Point } from '@interview-prep/contracts/recordings';

/** Words a minute over the whole recording; null before there is a transcript. */
export function wordsPerMinute({
  transcription,
  durationMs,
}: Pick<QuestionTake, 'transcription' | 'durationMs'>): number | null {
  const count = transcription.text.split(/\s+/).filter((word) => word !== '').length;
  return durationMs === null || durationMs === 0 || count === 0 ? null : Math.round((count * 60_000) / durationMs);
}

/** The points that differ between two takes, by their texts. */
export interface PointChanges {
  won: string[];
  lost: string[];
}

/** Which points the later take makes better than the earlier one, and which worse. Points of another expert answer are left out. */
export function pointChanges(earlier: readonly Point[], later: readonly Point[]): PointChanges {
  const before = new Map(earlier.map((point) => [point.text, pointShares[stateOf(point)]]));
  const steps = later.flatMap((point) => {
    const from = before.get(point.text);
    return from === undefined ? [] : [{ text: point.text, step: pointShares[stateOf(point)] - from }];
  });
  return {
    won: steps.filter(({ step }) => step > 0).map(({ text }) => text),
    lost: steps.filter(({ step }) => step < 0).map(({ text }) => text),
  };
}
