import { readFileSync } from 'node:fs';
import type { AnalysedPoint, RatedFit } from './analysis.ts';
import { type CreditModel, creditOf } from './credit-model.ts';

/** The curves that fit-reference has written. */
export const creditModel: CreditModel = JSON.parse(readFileSync(new URL('credit-model.json', import.meta.url), 'utf8'));

/** What a point earns by the stretch that makes it best. */
export interface PointCredit {
  /** 0–1. */
  credit: number;
  /** Null where the answer has no stretch at all. */
  best: RatedFit | null;
}

/** The credit of each point. */
export function creditsOf(model: CreditModel, points: readonly AnalysedPoint[]): PointCredit[] {
  return points.map(({ fits }) => {
    let made: PointCredit = { credit: 0, best: null };
    for (const rated of fits) {
      const credit = rated.share * creditOf(model, rated.fit, points.length);
      if (made.best === null || credit > made.credit) made = { credit, best: rated };
    }
    return made;
  });
}
