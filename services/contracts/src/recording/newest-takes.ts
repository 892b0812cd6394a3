/** The newest take of each question, ordered by question. */
export function newestTakes<Take extends { questionId: number; take: number }>(takes: readonly Take[]): Take[] {
  const newest = new Map<number, Take>();
  for (const take of takes) {
    const known = newest.get(take.questionId);
    if (!known || known.take < take.take) newest.set(take.questionId, take);
  }
  return [...newest.values()].sort((a, b) => a.questionId - b.questionId);
}
