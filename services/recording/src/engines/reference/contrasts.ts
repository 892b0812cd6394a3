import type { Token } from './token.ts';
import { tokensOf, wordsOf } from './tokens.ts';

/** Words that set things side by side in a question. */
const separators = /\s*,\s*(?:and|or)?\s*|\s+(?:and|or|vs\.?|versus|from|than|to|with)\s+/i;
/** A question that sets things side by side says so. */
const comparison =
  /\b(?:differ\w*|compare\w*|contrast|distinguish|versus|vs|between|or|choose|cannot|can't|when .* when)\b/i;
const leastWeight = 0.4;

/** The first words of content of a part, as far as they stand together: "type alias". */
function opening(part: readonly Token[]): Token[] {
  const from = part.findIndex(({ weight }) => weight >= leastWeight);
  if (from < 0) return [];
  const rest = part.slice(from);
  const length = rest.findIndex(({ weight }) => weight < leastWeight);
  return length < 0 ? rest : rest.slice(0, length);
}

/**
 * The things that a question sets side by side ("TCP and UDP", "threads, processes and asyncio"): the term on either side
 * of each separator. None where it asks about one thing only.
 * @param counts how often the expert answer uses each stem: of a term of two words the rarer one names it
 */
export function contrastedIn(question: string, counts: ReadonlyMap<string, number>): Set<string> {
  if (!comparison.test(question)) return new Set();
  const parts = question.split(separators).map((part) => tokensOf(wordsOf(part), 50));
  const sides = parts.flatMap((part, index) => {
    const before = index < parts.length - 1 ? part.findLast(({ weight }) => weight >= leastWeight) : undefined;
    const after = index > 0 ? opening(part).slice(0, 2) : [];
    const known = after.filter(({ stem }) => counts.has(stem));
    const rarest = known.toSorted((a, b) => counts.get(a.stem)! - counts.get(b.stem)!)[0] ?? after[0];
    return [before, rarest].flatMap((token) => token ?? []);
  });
  return new Set(sides.map(({ stem }) => stem));
}
