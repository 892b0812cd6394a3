import type { QuestionTake } from '@interview-prep/contracts/history';
import { pointShares, stateOf } from '@interview-prep/contracts/point-states';
import type { Point, PointState } from '@interview-prep/contracts/recordings';

/** Words a minute over the whole recording; null before there is a transcript. */
export function wordsPerMinute({
  transcription,
  durationMs,
}: Pick<QuestionTake, 'transcription' | 'durationMs'>): number | null {
  const count = transcription.text.split(/\s+/).filter((word) => word !== '').length;
  return durationMs === null || durationMs === 0 || count === 0 ? null : Math.round((count * 60_000) / durationMs);
}

/** A point that differs between two takes. */
export interface PointChange {
  text: string;
  from: PointState;
  to: PointState;
}

/** The points that differ between two takes. */
export interface PointChanges {
  won: PointChange[];
  lost: PointChange[];
}

/** Which points the later take makes better than the earlier one, and which worse. Points of another expert answer are left out. */
export function pointChanges(earlier: readonly Point[], later: readonly Point[]): PointChanges {
  const before = new Map(earlier.map((point) => [point.text, stateOf(point)]));
  const changes = later.flatMap((point) => {
    const from = before.get(point.text);
    return from === undefined ? [] : [{ text: point.text, from, to: stateOf(point) }];
  });
  return {
    won: changes.filter(({ from, to }) => pointShares[to] > pointShares[from]),
    lost: changes.filter(({ from, to }) => pointShares[to] < pointShares[from]),
  };
}
