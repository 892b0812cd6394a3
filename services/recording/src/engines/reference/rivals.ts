import { contrastedIn } from './contrasts.ts';
import { areOpposites } from './opposites.ts';
import type { Token } from './token.ts';
import { isGrammar } from './tokens.ts';

/** Things of which an answer may mistake one for another. */
export interface Rivals {
  /** Their stems. */
  stems: ReadonlySet<string>;
  /** The one that is only meant where no other is named with it: "view" beside "materialized view". */
  plain: string | null;
}

const leastWeight = 0.4;
/** A phrase that ends within this many words of a sentence's first opens it. */
const openingWords = 4;

/**
 * What the question sets side by side. "Liveness and readiness probes": what both are called is no rival by itself. "A view
 * and a materialized view": where one has no other name, it is.
 */
function contrastedOf(question: string, expert: readonly Token[]): Rivals[] {
  const counts = new Map<string, number>();
  for (const { stem } of expert) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const contrasted = [...contrastedIn(question, counts)].filter((stem) => counts.has(stem));
  const shared = new Set(
    expert.flatMap(({ stem, clause }, at) =>
      expert[at - 1]?.clause === clause && contrasted.includes(expert[at - 1]!.stem) && contrasted.includes(stem)
        ? [stem]
        : [],
    ),
  );
  const kinds = contrasted.filter((stem) => !shared.has(stem));
  const [plain = null] = shared;
  if (kinds.length === 1 && plain !== null) return [{ stems: new Set([...kinds, plain]), plain }];
  return kinds.length > 1 ? [{ stems: new Set(kinds), plain: null }] : [];
}

/**
 * The kinds of one thing, as "render" and "commit" of a phase: words between an article and the word for the thing. Only
 * those that the question names, that are opposites, or that open a sentence, so that they are what it is about.
 */
function kindsIn(expert: readonly Token[], asked: ReadonlySet<string>): Rivals[] {
  const kinds = new Map<string, { stem: string; isTopic: boolean }[]>();
  for (const [at, head] of expert.entries()) {
    const [kind, before] = [expert[at - 1], expert[at - 2]];
    if (!kind || kind.clause !== head.clause || kind.weight < leastWeight || head.weight < leastWeight) continue;
    if (kind.kind !== 'word' || head.kind !== 'word' || kind.stem === head.stem) continue;
    if (before?.clause === kind.clause && !isGrammar(before)) continue;
    const opensSentence = expert[at - openingWords]?.sentence !== head.sentence;
    const isTopic = opensSentence || asked.has(kind.stem);
    kinds.set(head.stem, [...(kinds.get(head.stem) ?? []), { stem: kind.stem, isTopic }]);
  }
  return [...kinds.values()].flatMap((found) => {
    const isRival = (one: (typeof found)[number]) =>
      one.isTopic || found.some(({ stem }) => areOpposites(stem, one.stem));
    const stems = new Set(found.filter(isRival).map(({ stem }) => stem));
    return stems.size > 1 ? [{ stems, plain: null }] : [];
  });
}

/** The groups of rivals of an expert answer: what the question sets side by side, and the kinds of one thing. */
export function rivalsOf(question: string, asked: ReadonlySet<string>, expert: readonly Token[]): Rivals[] {
  return [...contrastedOf(question, expert), ...kindsIn(expert, asked)];
}
