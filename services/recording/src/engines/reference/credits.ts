import { isOptional } from '../add-up-points.ts';
import type { AnalysedAnswer, AnalysedPoint, RatedFit } from './analysis.ts';
import { type ScoreModel, scoreOf, withoutMargin } from './score-model.ts';

/** What a point earns, and the stretch that makes it best. */
export interface PointCredit {
  /** 0–1. */
  credit: number;
  /** Null where the answer has no stretch at all. */
  best: RatedFit | null;
}

/** How clearly a stretch makes a point, in log-odds: by its words and by its meaning. */
const strength = { base: -4, recall: 6, specific: 5, contradicted: -3 };
/** The log-odds that all points are moved by lie between minus and plus this. */
const shiftMax = 30;
const rounds = 40;

const strengthOf = ({ fit, share }: RatedFit): number =>
  share * (strength.recall * fit.recall + strength.specific * fit.specific);

function bestOf({ fits }: AnalysedPoint): RatedFit | null {
  return fits.reduce<RatedFit | null>((best, one) => (best && strengthOf(best) >= strengthOf(one) ? best : one), null);
}

/**
 * Shares what the answer earns among the points, by how clearly each is made: their log-odds are moved by the same amount
 * until the required points add up to the score.
 */
export function creditsOf(model: ScoreModel, { points, features, long }: AnalysedAnswer): PointCredit[] {
  const score = scoreOf(model, features, long);
  const all = points.map(({ point }) => point);
  const rated = points.map((one) => {
    const best = bestOf(one);
    const odds = strength.base + (best ? strengthOf(best) : 0) + (one.isContradicted ? strength.contradicted : 0);
    return { best, odds, weight: isOptional(one.point, all) ? 0 : one.point.weight };
  });
  const total = rated.reduce((sum, { weight }) => sum + weight, 0);
  const creditAt = (odds: number, shift: number) => withoutMargin(1 / (1 + Math.exp(-odds - shift)), long);
  let [low, high] = [-shiftMax, shiftMax];
  for (let round = 0; round < rounds; round++) {
    const middle = (low + high) / 2;
    const earned = rated.reduce((sum, { odds, weight }) => sum + weight * creditAt(odds, middle), 0) / total;
    if (earned < score) low = middle;
    else high = middle;
  }
  return rated.map(({ best, odds }) => ({ best, credit: creditAt(odds, high) }));
}
