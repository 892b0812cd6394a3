import { meanOf, pearson, rootMeanSquareError } from './agreement.ts';

/** A point of an answer with the judge's credit and a human label. */
interface JudgedPoint {
  /** The share of the point's weight that is earned: 1, 0.5 or 0. */
  credit: number;
  /** 1 made, 0.5 half made, 0 not mentioned, -1 contradicted. */
  label: number;
  /** The judge's probability that the point is made, 0–1; null if it gives none. */
  made: number | null;
}

export interface JudgedAnswer {
  style: string;
  points: readonly JudgedPoint[];
}

/** The minimum share for a point to count as credited by the judge, or as made according to the human. */
const creditedFrom = 0.5;
const calibrationBins = 10;

const isCredited = ({ credit }: JudgedPoint) => credit >= creditedFrom;
const isMade = ({ label }: JudgedPoint) => label >= creditedFrom;
/** The judge's and the human's score, in percent. */
const scoresOf = ({ points }: JudgedAnswer) => ({
  judged: 100 * meanOf(points.map(({ credit }) => credit)),
  person: 100 * meanOf(points.map(({ label }) => Math.max(0, label))),
});

/** The metrics by which judges are compared. Shares are 0–1; null if there is nothing to count. */
interface PointFiguresReport {
  /** F1 of points credited against points made. */
  f1: number | null;
  /** The share of unmentioned or contradicted points that still earn credit. */
  unsaidCredited: number | null;
  contraryCredited: number | null;
  /** The correlation of the answers' scores with the human's. */
  pearson: number | null;
  /** In percentage points. */
  rmse: number;
  /** Expected calibration error of `made`; null if the judge doesn't provide it. */
  calibrationError: number | null;
}

const shareCredited = (points: readonly JudgedPoint[]) =>
  points.length === 0 ? null : points.filter(isCredited).length / points.length;

/** The share of points that are made, by the judge's predicted probability. */
function reliability(points: readonly JudgedPoint[]) {
  const told = points.flatMap((point) => (point.made === null ? [] : [{ made: point.made, isMade: isMade(point) }]));
  const bins = Map.groupBy(told, ({ made }) => Math.min(calibrationBins - 1, Math.floor(made * calibrationBins)));
  return [...bins]
    .sort(([a], [b]) => a - b)
    .map(([bin, inBin]) => ({
      from: bin / calibrationBins,
      count: inBin.length,
      said: meanOf(inBin.map(({ made }) => made)),
      found: meanOf(inBin.map((one) => Number(one.isMade))),
    }));
}

/** @param answers at least one */
export function pointFigures(answers: readonly JudgedAnswer[]): PointFiguresReport {
  const points = answers.flatMap((answer) => answer.points);
  const both = points.filter((point) => isCredited(point) && isMade(point)).length;
  const either = points.filter(isCredited).length + points.filter(isMade).length;
  const scores = answers.map(scoresOf);
  const [judged, person] = [scores.map((score) => score.judged), scores.map((score) => score.person)];
  const bins = reliability(points);
  const told = bins.reduce((sum, { count }) => sum + count, 0);
  return {
    f1: either === 0 ? null : (2 * both) / either,
    unsaidCredited: shareCredited(points.filter(({ label }) => label === 0)),
    contraryCredited: shareCredited(points.filter(({ label }) => label < 0)),
    pearson: pearson(judged, person),
    rmse: rootMeanSquareError(judged, person),
    calibrationError:
      told === 0
        ? null
        : bins.reduce((sum, { count, said, found }) => sum + (count / told) * Math.abs(said - found), 0),
  };
}

const figure = (value: number | null) => (value === null ? '-' : value.toFixed(3));
const percent = (value: number | null) => (value === null ? '-' : `${(100 * value).toFixed(1)}%`);

/** The figures as text, with mean scores by style and the calibration. */
export function pointsReport(answers: readonly JudgedAnswer[]): string {
  if (answers.length === 0) return 'There are no answers.\n';
  const { f1, unsaidCredited, contraryCredited, calibrationError, ...figures } = pointFigures(answers);
  const styles = [...Map.groupBy(answers, ({ style }) => style)].map(([style, ofStyle]) => {
    const scores = ofStyle.map(scoresOf);
    const [judged, person] = [meanOf(scores.map((one) => one.judged)), meanOf(scores.map((one) => one.person))];
    return `${(style || '-').padEnd(10)} ${String(ofStyle.length).padStart(7)} ${judged.toFixed(0).padStart(6)} ${person.toFixed(0).padStart(6)}`;
  });
  const bins = reliability(answers.flatMap(({ points }) => points)).map(
    ({ from, count, said, found }) =>
      `${from.toFixed(1)}–${(from + 1 / calibrationBins).toFixed(1)} ${String(count).padStart(7)} ${percent(said).padStart(7)} ${percent(found).padStart(7)}`,
  );
  return `${[
    `answers: ${answers.length}, points: ${answers.reduce((sum, { points }) => sum + points.length, 0)}`,
    `F1: ${figure(f1)}`,
    `credited of what was not said: ${percent(unsaidCredited)}`,
    `credited of the contrary: ${percent(contraryCredited)}`,
    `Pearson correlation: ${figure(figures.pearson)}`,
    `RMSE: ${figures.rmse.toFixed(1)} percentage points`,
    `expected calibration error: ${figure(calibrationError)}`,
    '',
    'style      answers  score person',
    ...styles,
    '',
    'made     points    said   found',
    ...bins,
  ].join('\n')}\n`;
}
