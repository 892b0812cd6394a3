import { pointShares, stateOf } from '@interview-prep/contracts/recording/point-states';
import type { Point } from '@interview-prep/contracts/recording/recordings';
import type { Assessor } from '../engines/assessor.ts';
import type { LabelledQuestion } from './labelled-answers.ts';
import type { JudgedAnswer } from './points-report.ts';

/**
 * Has the answers to a question judged.
 * @param onAnswer gets the points of each answer, by its number from 0
 * @throws what the assessor throws
 */
export async function judgeLabelled(
  assessor: Assessor,
  { question, points, answers }: LabelledQuestion,
  onAnswer: (answer: number, points: readonly Point[]) => void = () => undefined,
): Promise<JudgedAnswer[]> {
  const judged: JudgedAnswer[] = [];
  for (const [index, { style, text, labels }] of answers.entries()) {
    const verdict = await assessor.assess({
      question,
      transcript: text,
      words: [],
      points: points.map((point) => ({ text: point, weight: 1, acceptedWordings: [], optional: false })),
      signal: new AbortController().signal,
    });
    onAnswer(index, verdict.points);
    judged.push({
      style,
      points: labels.map((label, at) => {
        const point = verdict.points[at];
        return { label, credit: point ? pointShares[stateOf(point)] : 0, made: point?.made ?? null };
      }),
    });
  }
  return judged;
}
