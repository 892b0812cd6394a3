import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';

/** A point as a form holds it: the weight as it was typed, the accepted wordings one per line. */
export interface PointDraft {
  /** Tells the points of one answer apart. */
  key: string;
  text: string;
  weight: string;
  wordings: string;
  optional: boolean;
}

/** Points that an admin has edited, and the expert answer that they were edited for. */
export interface EditedPoints {
  answer: string;
  points: readonly PointDraft[];
}

/** An expert answer with its points; without edited ones they follow from its text. */
export interface AnswerWithPoints {
  answer: string;
  editedPoints?: EditedPoints | undefined;
}

const draftOf = ({ text, weight, acceptedWordings, optional }: ExpertPoint, key: string): PointDraft => ({
  key,
  text,
  weight: `${weight}`,
  wordings: acceptedWordings.join('\n'),
  optional,
});

/** A point as it is sent. */
export function pointOf({ text, weight, wordings, optional }: PointDraft): ExpertPoint {
  return {
    text,
    // The contract rejects NaN with its own message.
    weight: weight.trim() === '' ? Number.NaN : Number(weight),
    acceptedWordings: wordings
      .split('\n')
      .map((wording) => wording.trim())
      .filter((wording) => wording !== ''),
    optional,
  };
}

let pointsMade = 0;

/** An empty point with a key of its own. */
export function newPoint(): PointDraft {
  pointsMade += 1;
  return { key: `new-${pointsMade}`, text: '', weight: '1', wordings: '', optional: false };
}

/** The points of an answer as the form shows them. */
export function pointDraftsOf({ answer, editedPoints }: AnswerWithPoints): readonly PointDraft[] {
  return editedPoints?.points ?? derivePoints(answer).map((point, index) => draftOf(point, `derived-${index}`));
}

/** Saved points, where they are others than those that follow from the answer. */
export function editedPointsOf(answer: string, points: readonly ExpertPoint[] = []): EditedPoints | undefined {
  if (points.length === 0 || JSON.stringify(points) === JSON.stringify(derivePoints(answer))) return undefined;
  return { answer, points: points.map((point, index) => draftOf(point, `saved-${index}`)) };
}

/** Whether edited points were written for another text of the expert answer. */
export function isOutdated({ answer, editedPoints }: AnswerWithPoints): boolean {
  return editedPoints !== undefined && editedPoints.answer.trim() !== answer.trim();
}

/** The points as they are sent. A question without an expert answer has none. */
export function expertPointsOf(pair: AnswerWithPoints): ExpertPoint[] {
  return pair.answer.trim() === '' ? [] : pointDraftsOf(pair).map(pointOf);
}
