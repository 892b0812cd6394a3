import { pointShares } from '@interview-prep/contracts/recording/point-states';
import type { CreditRange, Point, PointMatch, PointState, Word } from '@interview-prep/contracts/recording/recordings';
import { saidShare } from '../../glossary/said-share.ts';
import { pointsOf, quoteOf, rangeOf, type StatedPoint } from '../add-up-points.ts';
import { confidenceOf, isUnsure, type Thresholds } from '../thresholds.ts';
import type { Evidence } from './find-evidence.ts';
import { modelInfo } from './model-file.ts';
import type { PointReading } from './read-points.ts';
import { bestWindow } from './rule.ts';

/** From this share of the same words on, a point is made in the expert's words. */
const sameWordsFrom = 0.6;
/** From this figure of the model on, a passage is near enough to a missing point to be quoted beside it. */
const nearestFrom = 0.1;

/** The shares of its weight that a point may have earned, where the judge is not sure of its state. */
const possibleShares: Record<PointState, readonly [least: number, most: number]> = {
  covered: [0.5, 1],
  partial: [0, 1],
  missing: [0, 0.5],
  contradicted: [0, 0.5],
};

/** Why a point has its state, for the candidate. */
const reasons: Record<Exclude<PointState, 'covered'> | PointMatch, string> = {
  contradicted: 'You said something that contradicts this.',
  missing: "You didn't mention this.",
  partial: 'You mentioned part of this.',
  sound: 'Counted with a term that sounds like what was heard.',
  words: "In the expert's words.",
  meaning: 'In your own words.',
};

function howOf({ bySound, statement }: PointReading, quote: string): PointMatch {
  if (bySound) return 'sound';
  return saidShare(statement, quote) >= sameWordsFrom ? 'words' : 'meaning';
}

const rounded = (figure: number) => Math.round(figure * 1000) / 1000;

/** A verdict on an answer: its points, whose credits add up to the percentage. */
export interface Verdict {
  /** A whole number, 0–100. */
  percentage: number;
  range?: CreditRange;
  points: Point[];
}

/** Adds up what points earn, and says of each why. @param words of the answer, as they were heard */
export function verdictOf(
  judged: readonly (StatedPoint & { reading: PointReading; place: Evidence | null })[],
  { words, times, thresholds }: { words: readonly string[]; times: readonly Word[]; thresholds: Thresholds },
): Verdict {
  const { percentage, points } = pointsOf(judged, words, times);
  const found = points.map((point, index): Point => {
    const { reading, state, place } = judged[index]!;
    const { figures } = reading;
    const { weight, credit } = point;
    const near = state === 'missing' ? bestWindow(reading.windows) : undefined;
    const how = howOf(reading, point.evidence);
    const [least, most] = possibleShares[state].map((share) => Math.round(weight * share)) as [number, number];
    return {
      ...point,
      ...(pointShares[state] > 0 ? { how } : {}),
      ...(place?.across ? { across: true } : {}),
      made: rounded(figures.made),
      contradicted: rounded(figures.contradicted),
      confidence: rounded(confidenceOf(state, figures)),
      ...(isUnsure(figures, thresholds, modelInfo.unsure)
        ? { creditRange: { from: Math.min(least, credit), to: Math.max(most, credit) } }
        : {}),
      reason: reasons[state === 'covered' ? how : state],
      ...(near && near.made >= nearestFrom ? { nearest: quoteOf(near, words, times) } : {}),
    };
  });
  const range = rangeOf(found);
  return { percentage, points: found, ...(range ? { range } : {}) };
}
