import { tokensOf, wordsOf } from './tokens.ts';

/** Words that set things side by side in a question. */
const separators = /\s*,\s*(?:and|or)?\s*|\s+(?:and|or|vs\.?|versus|from|than|to|with)\s+/i;
/** A question that sets things side by side says so. */
const comparison = /\b(?:differ\w*|compare\w*|contrast|distinguish|versus|vs|between|or|choose|when .* when)\b/i;
const leastWeight = 0.4;

/**
 * The things that a question sets side by side ("TCP and UDP", "threads, processes and asyncio"): the term on either side
 * of each separator. None where it asks about one thing only.
 */
export function contrastedIn(question: string): Set<string> {
  if (!comparison.test(question)) return new Set();
  const parts = question
    .split(separators)
    .map((part) => tokensOf(wordsOf(part), 50).filter(({ weight }) => weight >= leastWeight));
  const sides = parts.flatMap((part, index) => {
    const before = index < parts.length - 1 ? part.at(-1) : undefined;
    const after = index > 0 ? part[0] : undefined;
    return [before, after].flatMap((token) => token ?? []);
  });
  return new Set(sides.map(({ stem }) => stem));
}
