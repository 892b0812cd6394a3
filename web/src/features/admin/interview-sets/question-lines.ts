import { parseQuestions } from '@interview-prep/contracts/question-text';

/**
 * Questions typed one a line, with an expert answer per line. `answers` is parallel to the lines of `text`, blank ones
 * too: a line that is emptied and typed anew keeps its answer. `parted` holds the answers of lines that went, by their
 * question, for the case that the line comes back (cut and paste, undo).
 */
export interface QuestionLines {
  text: string;
  answers: readonly string[];
  parted: ReadonlyMap<string, string>;
}

export const noQuestionLines: QuestionLines = { text: '', answers: [''], parted: new Map() };

const linesOf = (text: string) => text.split('\n');
const questionOf = (line: string) => parseQuestions(line)[0] ?? '';

/** How many lines two lists begin with alike. */
function commonStart(one: readonly string[], other: readonly string[]): number {
  const end = Math.min(one.length, other.length);
  for (let index = 0; index < end; index += 1) if (one[index] !== other[index]) return index;
  return end;
}

/** Whether two questions begin and end alike for half of the shorter one: one is the other reworded, split or joined. */
function akin(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  const start = commonStart([...one], [...other]);
  const end = commonStart([...one].toReversed(), [...other].toReversed());
  return shorter > 0 && Math.min(shorter, start + end) * 2 >= shorter;
}

/** The lines after the text was edited: answers follow their questions, reworded, moved or with lines between them. */
export function retyped(former: QuestionLines, text: string): QuestionLines {
  const before = linesOf(former.text).map((line, index) => ({ line, answer: former.answers[index] ?? '' }));
  const after = linesOf(text);
  const beforeLines = before.map(({ line }) => line);
  const start = commonStart(beforeLines, after);
  const end = commonStart(beforeLines.slice(start).toReversed(), after.slice(start).toReversed());

  const gone = before.slice(start, before.length - end);
  const come: { question: string; answer: string | null }[] = after
    .slice(start, after.length - end)
    .map((line) => ({ question: questionOf(line), answer: null }));
  // First the same words wherever they went; then a reworded line: the only one, or one with half of its words alike.
  for (const line of come) {
    const same = gone.findIndex((each) => line.question !== '' && questionOf(each.line) === line.question);
    if (same >= 0) line.answer = gone.splice(same, 1)[0]?.answer ?? '';
  }
  const unmatched = come.filter(({ answer }) => answer === null);
  const oneForOne = gone.length === 1 && unmatched.length === 1;
  const parted = new Map(former.parted);
  for (const line of unmatched) {
    const kin = oneForOne ? 0 : gone.findIndex((each) => akin(questionOf(each.line), line.question));
    const taken = kin >= 0 ? gone.splice(kin, 1)[0]?.answer : undefined;
    line.answer = taken || parted.get(line.question) || '';
  }
  for (const { line, answer } of gone) {
    const question = questionOf(line);
    if (question !== '' && answer !== '') parted.set(question, answer);
  }
  return {
    text,
    parted,
    answers: [
      ...before.slice(0, start).map(({ answer }) => answer),
      ...come.map(({ answer }) => answer ?? ''),
      ...before.slice(before.length - end).map(({ answer }) => answer),
    ],
  };
}

/** The lines with the answer of one of them changed. `line` counts from 0, blank lines too. */
export const answered = (lines: QuestionLines, line: number, answer: string): QuestionLines => ({
  ...lines,
  answers: lines.answers.map((each, index) => (index === line ? answer : each)),
});

/** The questions as they will be saved, each with its answer and the line that it comes from. */
export function questionsOf({ text, answers }: QuestionLines): { question: string; answer: string; line: number }[] {
  return linesOf(text).flatMap((line, index) => {
    const question = questionOf(line);
    return question === '' ? [] : [{ question, answer: answers[index] ?? '', line: index }];
  });
}
