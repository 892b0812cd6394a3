/**
 * Expert answers for changed questions where the client sent none: a question whose text stayed keeps its answer, wherever
 * it moved; others get ''.
 */
export function keptAnswers(
  former: { questions: readonly string[]; answers: readonly string[] },
  questions: readonly string[],
): string[] {
  const answers = new Map(former.questions.map((question, index) => [question, former.answers[index] ?? '']));
  return questions.map((question) => answers.get(question) ?? '');
}
