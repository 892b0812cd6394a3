/** How many words were said, and how many were replaced, left out or added. */
export interface WordErrors {
  said: number;
  wrong: number;
}

/** The least number of changes that turn the words that were said into those that were heard (Levenshtein). */
export function countWordErrors(said: readonly string[], heard: readonly string[]): WordErrors {
  let row = Array.from({ length: heard.length + 1 }, (_, at) => at);
  for (const [index, word] of said.entries()) {
    const next = [index + 1];
    for (const [at, other] of heard.entries())
      next.push(Math.min(row[at]! + (word === other ? 0 : 1), row[at + 1]! + 1, next[at]! + 1));
    row = next;
  }
  return { said: said.length, wrong: row[heard.length]! };
}

/** Wrong words in 100. */
export function errorRate(counts: readonly WordErrors[]): number {
  const said = counts.reduce((sum, count) => sum + count.said, 0);
  return (100 * counts.reduce((sum, count) => sum + count.wrong, 0)) / said;
}
