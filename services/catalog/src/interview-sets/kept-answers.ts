/**
 * Expert answers for an update that sends none. A question with the same text keeps its answer, even if it moved; others get ''.
 */
export function keptAnswers(
  previous: { questions: readonly string[]; answers: readonly string[] },
  questions: readonly string[],
): string[] {
  const answers = new Map(previous.questions.map((question, index) => [question, previous.answers[index] ?? '']));
  return questions.map((question) => answers.get(question) ?? '');
}
