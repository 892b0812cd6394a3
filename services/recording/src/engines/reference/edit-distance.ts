/**
 * How many insertions, deletions, replacements and swaps of neighbours make `a` into `b` (optimal string alignment);
 * `limit + 1` once it is certain to be more than `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, before[j - 2]! + 1);
      smallest = Math.min(smallest, cost);
      next.push(cost);
    }
    if (smallest > limit) return limit + 1;
    before = row;
    row = next;
  }
  return Math.min(row[b.length]!, limit + 1);
}

/** How alike two spellings are, 0–1. */
export function spellingLikeness(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 1 : 1 - editDistance(a, b, longest) / longest;
}
