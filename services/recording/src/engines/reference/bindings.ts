import { type Token, tokensOf, wordsOf } from './tokens.ts';

/** Words that set things side by side in a question. */
const separators = /\s*,\s*(?:and|or)?\s*|\s+(?:and|or|vs\.?|versus|from|than|to|with)\s+/i;

/**
 * The things that a question sets side by side ("TCP and UDP", "threads, processes and asyncio"): the term on either side
 * of each separator. None where it asks about one thing only.
 */
export function contrastedIn(question: string): Set<string> {
  const parts = question
    .split(separators)
    .map((part) => tokensOf(wordsOf(part), 50).filter(({ weight }) => weight >= 0.4));
  const sides = parts.flatMap((part, index) => {
    const before = index < parts.length - 1 ? part.at(-1) : undefined;
    const after = index > 0 ? part[0] : undefined;
    return [before, after].flatMap((token) => token ?? []);
  });
  return new Set(sides.map(({ stem }) => stem));
}

/**
 * For each token the subject that it is said of: the last one before it; null where there is none yet. A sentence that
 * names no subject goes on with the one before.
 */
export function boundSubjects(tokens: readonly Token[], subjects: ReadonlySet<string>): (string | null)[] {
  let subject: string | null = null;
  return tokens.map(({ stem }) => {
    if (!subjects.has(stem)) return subject;
    subject = stem;
    return null;
  });
}

/** For each word of an expert answer the subjects that it is said of; null among them where it is said of none. */
export function bindingsOf(expert: readonly Token[], subjects: ReadonlySet<string>): Map<string, Set<string | null>> {
  const bindings = new Map<string, Set<string | null>>();
  for (const [at, subject] of boundSubjects(expert, subjects).entries()) {
    const { stem } = expert[at]!;
    const known = bindings.get(stem);
    if (known) known.add(subject);
    else bindings.set(stem, new Set([subject]));
  }
  return bindings;
}
