import type { OverruledPoint } from '@interview-prep/contracts/recording/calibration';
import type { DecidedPoint } from './decided-points.ts';

const shownMax = 20;

function summarize(decided: readonly DecidedPoint[]): OverruledPoint[] {
  const overruled = decided.filter(({ judgeState, personState }) => judgeState !== personState);
  const [first] = overruled;
  if (!first) return [];
  const states = [...Map.groupBy(overruled, ({ personState }) => personState)];
  const [state] = states.toSorted(([, one], [, other]) => other.length - one.length)[0]!;
  const { title, question, point } = first;
  return [{ title, question, point, decisions: decided.length, overruled: overruled.length, state }];
}

/** The points about which people most often decided otherwise than the judge. */
export function overruledPoints(decided: readonly DecidedPoint[]): OverruledPoint[] {
  const byPoint = Map.groupBy(decided, ({ title, question, point }) => JSON.stringify([title, question, point]));
  return [...byPoint.values()]
    .flatMap(summarize)
    .toSorted((a, b) => b.overruled - a.overruled || a.decisions - b.decisions)
    .slice(0, shownMax);
}
