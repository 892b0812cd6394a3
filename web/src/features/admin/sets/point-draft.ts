import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';

/** A point as edited in a form: the weight as typed, accepted wordings one per line. */
export interface PointDraft {
  /** Identifies the point within its answer. */
  key: string;
  text: string;
  weight: string;
  wordings: string;
  optional: boolean;
}

/** Points edited by an admin, and the expert answer they were written for. */
export interface EditedPoints {
  answer: string;
  points: readonly PointDraft[];
}

/** An expert answer with its points; unless edited, they are derived from its text. */
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

/** Converts a point to its request form. */
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

/** An empty point with a new key. */
export function newPoint(): PointDraft {
  pointsMade += 1;
  return { key: `new-${pointsMade}`, text: '', weight: '1', wordings: '', optional: false };
}

export function pointDraftsOf({ answer, editedPoints }: AnswerWithPoints): readonly PointDraft[] {
  return editedPoints?.points ?? derivePoints(answer).map((point, index) => draftOf(point, `derived-${index}`));
}

/** Saved points, if they differ from those derived from the answer. */
export function editedPointsOf(answer: string, points: readonly ExpertPoint[] = []): EditedPoints | undefined {
  if (points.length === 0 || JSON.stringify(points) === JSON.stringify(derivePoints(answer))) return undefined;
  return { answer, points: points.map((point, index) => draftOf(point, `saved-${index}`)) };
}

/** Whether edited points were written for an earlier text of the expert answer. */
export function isOutdated({ answer, editedPoints }: AnswerWithPoints): boolean {
  return editedPoints !== undefined && editedPoints.answer.trim() !== answer.trim();
}

/** The points to send. A question without an expert answer has none. */
export function expertPointsOf(pair: AnswerWithPoints): ExpertPoint[] {
  return pair.answer.trim() === '' ? [] : pointDraftsOf(pair).map(pointOf);
}
