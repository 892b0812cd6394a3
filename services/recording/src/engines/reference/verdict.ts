import type { Point, PointState, Word } from '@interview-prep/contracts/recordings';
import { addUpPoints, isOptional } from '../add-up-points.ts';
import type { AnalysedPoint } from './analysis.ts';
import type { Answer } from './answer.ts';
import type { PointCredit } from './credits.ts';
import { type Evidence, evidenceOf } from './evidence.ts';

/** From these shares of its weight on, a point is covered, or partly. */
const coveredFrom = 0.6;
const partialFrom = 0.3;
/** From this share of the same words on, a point is said in the expert's words. */
const sameWordsFrom = 0.6;
/** From this share of a missing point's meaning on, what was said is near enough to be quoted beside it. */
const nearestFrom = 0.2;

const stateOf = (credit: number): PointState =>
  credit >= coveredFrom ? 'covered' : credit >= partialFrom ? 'partial' : 'missing';

function reasonOf(state: PointState, how: Point['how'], isContradicted: boolean): string {
  if (state !== 'covered' && isContradicted) return 'The answer says something that contradicts this.';
  if (state === 'missing') return 'Nothing in the answer says this.';
  if (state === 'partial') return 'The answer says a part of this.';
  if (how === 'sound') return 'Said, with a term that was misheard and recognised by its sound.';
  return how === 'words' ? "Said in the expert's words." : 'Said in other words.';
}

function howOf({ best }: PointCredit): NonNullable<Point['how']> {
  if (best?.fit.bySound) return 'sound';
  return best && best.fit.exact >= sameWordsFrom ? 'words' : 'meaning';
}

function timesOf({ firstWord, lastWord }: Evidence, heard: readonly Word[]): Pick<Point, 'startMs' | 'endMs'> {
  const [first, last] = [heard[firstWord], heard[lastWord]];
  return first && last ? { startMs: first.startMs, endMs: last.endMs } : {};
}

/** A verdict on an answer: its points, whose credits add up to the percentage. */
export interface Verdict {
  /** A whole number, 0–100. */
  percentage: number;
  points: Point[];
}

/** Turns credits into whole percentage points that add up, and says of each point why. */
export function verdictOf(
  analysed: readonly AnalysedPoint[],
  credits: readonly PointCredit[],
  answer: Answer,
  heard: readonly Word[],
): Verdict {
  const all = analysed.map(({ point }) => point);
  const {
    percentage,
    weights,
    credits: earned,
  } = addUpPoints(
    all,
    credits.map(({ credit }) => credit),
  );
  return {
    percentage,
    points: analysed.map((one, index): Point => {
      const made = credits[index]!;
      const state = stateOf(made.credit);
      const quote = made.best && evidenceOf(answer, made.best.fit);
      const evidence = state === 'missing' ? null : quote;
      const isNear = state === 'missing' && made.best !== null && made.best.fit.recall >= nearestFrom;
      const how = howOf(made);
      return {
        text: one.point.text,
        covered: state === 'covered',
        evidence: evidence?.text ?? '',
        state,
        weight: weights[index]!,
        credit: earned[index]!,
        ...(isOptional(one.point, all) ? { optional: true } : {}),
        ...(evidence ? { firstWord: evidence.firstWord, lastWord: evidence.lastWord, how } : {}),
        ...(evidence ? timesOf(evidence, heard) : {}),
        reason: reasonOf(state, how, one.isContradicted),
        ...(isNear && quote ? { nearest: { text: quote.text, ...timesOf(quote, heard) } } : {}),
      };
    }),
  };
}
