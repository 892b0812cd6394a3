import { parseQuestions } from '@interview-prep/contracts/text/question-text';
import type { AnswerWithPoints } from '../sets/point-draft.ts';

/**
 * Questions, one per line, each with an expert answer and its points. `answers` is parallel to the lines of `text`, including
 * blank ones: a line that is cleared and retyped keeps its answer. `parted` keeps the answers of deleted lines by
 * question, in case a line comes back (cut and paste, undo).
 */
export interface QuestionLines {
  text: string;
  answers: readonly AnswerWithPoints[];
  parted: ReadonlyMap<string, AnswerWithPoints>;
}

const unanswered: AnswerWithPoints = { answer: '' };

export const noQuestionLines: QuestionLines = { text: '', answers: [unanswered], parted: new Map() };

const linesOf = (text: string) => text.split('\n');
const questionOf = (line: string) => parseQuestions(line)[0] ?? '';

/** The length of two lists' common prefix. */
function commonStart(one: readonly string[], other: readonly string[]): number {
  const end = Math.min(one.length, other.length);
  for (let index = 0; index < end; index += 1) if (one[index] !== other[index]) return index;
  return end;
}

/** Whether the common prefix and suffix cover half of the shorter question: a reworded, split or joined line. */
function isSimilar(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  const start = commonStart([...one], [...other]);
  const end = commonStart([...one].toReversed(), [...other].toReversed());
  return shorter > 0 && Math.min(shorter, start + end) * 2 >= shorter;
}

/** Applies an edit of the text. Answers follow their questions when these are reworded or moved. */
export function retyped(previous: QuestionLines, text: string): QuestionLines {
  const before = linesOf(previous.text).map((line, index) => ({ line, answer: previous.answers[index] ?? unanswered }));
  const after = linesOf(text);
  const beforeLines = before.map(({ line }) => line);
  const start = commonStart(beforeLines, after);
  const end = commonStart(beforeLines.slice(start).toReversed(), after.slice(start).toReversed());

  const removed = before.slice(start, before.length - end);
  const added: { question: string; answer: AnswerWithPoints | null }[] = after
    .slice(start, after.length - end)
    .map((line) => ({ question: questionOf(line), answer: null }));
  // Match identical lines first, wherever they moved; then reworded ones.
  for (const line of added) {
    const same = removed.findIndex((each) => line.question !== '' && questionOf(each.line) === line.question);
    if (same >= 0) line.answer = removed.splice(same, 1)[0]?.answer ?? unanswered;
  }
  const unmatched = added.filter(({ answer }) => answer === null);
  const oneForOne = removed.length === 1 && unmatched.length === 1;
  const parted = new Map(previous.parted);
  for (const line of unmatched) {
    const match = oneForOne ? 0 : removed.findIndex((each) => isSimilar(questionOf(each.line), line.question));
    const taken = match >= 0 ? removed.splice(match, 1)[0]?.answer : undefined;
    line.answer = (taken?.answer ? taken : parted.get(line.question)) ?? unanswered;
  }
  for (const { line, answer } of removed) {
    const question = questionOf(line);
    if (question !== '' && answer.answer !== '') parted.set(question, answer);
  }
  return {
    text,
    parted,
    answers: [
      ...before.slice(0, start).map(({ answer }) => answer),
      ...added.map(({ answer }) => answer ?? unanswered),
      ...before.slice(before.length - end).map(({ answer }) => answer),
    ],
  };
}

/** Replaces the answer, or the points, of one line. `line` counts from 0 and includes blank lines. */
export function answered(lines: QuestionLines, line: number, part: Partial<AnswerWithPoints>): QuestionLines {
  return {
    ...lines,
    answers: lines.answers.map((each, index) => (index === line ? { ...each, ...part } : each)),
  };
}

/** The questions to save, each with its answer, points and line number. */
export function questionsOf({
  text,
  answers,
}: QuestionLines): (AnswerWithPoints & { question: string; line: number })[] {
  return linesOf(text).flatMap((line, index) => {
    const question = questionOf(line);
    return question === '' ? [] : [{ question, ...(answers[index] ?? unanswered), line: index }];
  });
}
