import { pearson, rootMeanSquareError, spearman } from './agreement.ts';

/** An answer that was graded by people and judged by an engine. */
export interface Judged {
  question: string;
  score: number;
  /** 0–100; null where it was left unscored. */
  percentage: number | null;
  spentMs: number;
}

const questionMaxLength = 60;
const figure = (value: number | null): string => (value === null ? 'cannot be computed' : value.toFixed(4));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function byQuestion(judged: readonly (Judged & { percentage: number })[], best: number): string[] {
  const rows = [...Map.groupBy(judged, ({ question }) => question)].map(([question, answers]) => {
    const percentages = answers.map(({ percentage }) => percentage);
    const scores = answers.map(({ score }) => (100 * score) / best);
    const columns = [
      String(answers.length).padStart(7),
      mean(scores).toFixed(0).padStart(6),
      mean(percentages).toFixed(0).padStart(6),
      (pearson(percentages, scores)?.toFixed(2) ?? '-').padStart(7),
      rootMeanSquareError(percentages, scores).toFixed(1).padStart(6),
    ];
    return `${columns.join(' ')}  ${question.slice(0, questionMaxLength)}`;
  });
  return ['answers  score judged pearson   RMSE  question', ...rows];
}

/**
 * How far an engine agrees with people: correlations, the root mean square error in percentage points (the highest score of
 * the file counts as 100%), and the same for each question.
 */
export function agreementReport(all: readonly Judged[]): string {
  const judged = all.flatMap((one) => (one.percentage === null ? [] : [{ ...one, percentage: one.percentage }]));
  const unscored = all.length - judged.length;
  const lines = [`answers judged: ${judged.length}${unscored > 0 ? `, left unscored: ${unscored}` : ''}`];
  if (judged.length > 0) {
    const percentages = judged.map(({ percentage }) => percentage);
    const scores = judged.map(({ score }) => score);
    const best = Math.max(1, ...scores);
    lines.push(
      `time per answer: ${mean(judged.map(({ spentMs }) => spentMs)).toFixed(2)} ms`,
      `Pearson correlation: ${figure(pearson(percentages, scores))}`,
      `Spearman correlation: ${figure(spearman(percentages, scores))}`,
      `RMSE: ${rootMeanSquareError(
        percentages,
        scores.map((score) => (100 * score) / best),
      ).toFixed(2)} percentage points (score ${best} as 100%)`,
      '',
      ...byQuestion(judged, best),
    );
  } else lines.push('Pearson correlation: cannot be computed');
  return `${lines.join('\n')}\n`;
}
