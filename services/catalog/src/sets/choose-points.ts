import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';

/** Answers with their points, both parallel to the questions. */
export interface AnswersWithPoints {
  answers: readonly string[];
  expertPoints: readonly ExpertPoint[][];
}

/**
 * The points to store with a set's answers: those that an admin sent; else those that the same answer had before; else
 * those derived from its text, where a point that the set already had keeps its weight, wordings and optional flag.
 * Questions without an answer have no points.
 */
export function choosePoints(
  answers: readonly string[],
  { sent, previous }: { sent?: readonly ExpertPoint[][] | undefined; previous?: AnswersWithPoints | undefined } = {},
): ExpertPoint[][] {
  const keptPoints = new Map(
    previous?.answers.map((answer, index) => [answer.trim(), previous.expertPoints[index] ?? []]),
  );
  const knownPoints = new Map(previous?.expertPoints.flat().map((point) => [point.text, point]));
  const candidatesOf = (answer: string, index: number) => [sent?.[index], keptPoints.get(answer.trim())];
  return answers.map((answer, index) => {
    if (answer.trim() === '') return [];
    const chosen = candidatesOf(answer, index).find((points) => points !== undefined && points.length > 0);
    return chosen ?? derivePoints(answer).map((point) => knownPoints.get(point.text) ?? point);
  });
}
