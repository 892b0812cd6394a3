/** The number of words said, and of substitutions, deletions and insertions. */
export interface WordErrors {
  said: number;
  wrong: number;
}

/** The minimum edit distance from the words said to the words heard (Levenshtein). */
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

/** The longest run of words said but not heard, outside the longest common subsequence. */
export function longestLoss(said: readonly string[], heard: readonly string[]): string[] {
  const common = Array.from({ length: said.length + 1 }, () => new Uint16Array(heard.length + 1));
  for (let a = said.length - 1; a >= 0; a--)
    for (let b = heard.length - 1; b >= 0; b--)
      common[a]![b] =
        said[a] === heard[b] ? common[a + 1]![b + 1]! + 1 : Math.max(common[a + 1]![b]!, common[a]![b + 1]!);
  let longest: string[] = [];
  let run: string[] = [];
  let [a, b] = [0, 0];
  while (a < said.length) {
    if (b < heard.length && said[a] === heard[b]) [a, b, run] = [a + 1, b + 1, []];
    // A substituted word is wrong, but not lost.
    else if (b < heard.length && common[a + 1]![b + 1] === common[a]![b]) [a, b] = [a + 1, b + 1];
    else if (b < heard.length && common[a]![b + 1] === common[a]![b]) b += 1;
    else {
      run = [...run, said[a]!];
      a += 1;
    }
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

export function errorRate(counts: readonly WordErrors[]): number {
  const said = counts.reduce((sum, count) => sum + count.said, 0);
  return (100 * counts.reduce((sum, count) => sum + count.wrong, 0)) / said;
}
