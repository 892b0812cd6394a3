/**
 * Expert answers for an update that sends none. A question with the same text keeps its answer, even if it moved; others get ''.
 */
export function keptAnswers(
  former: { questions: readonly string[]; answers: readonly string[] },
  questions: readonly string[],
): string[] {
  const answers = new Map(former.questions.map((question, index) => [question, former.answers[index] ?? '']));
  return questions.map((question) => answers.get(question) ?? '');
}
