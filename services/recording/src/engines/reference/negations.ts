import { isNegator, negationParts, suppositions } from './english-words.ts';
import type { Token } from './token.ts';

/** A negation reaches forward to the first word that says this much. */
const reachedWeight = 0.4;
/** These negate the verb before them: "it loses nothing". */
const objects: ReadonlySet<string> = new Set(['nothing', 'nobody', 'none']);

/** The words that a negation at `at` reaches within its clause: forward up to a word of content, else back to one. */
function reachOf(tokens: readonly Token[], at: number): Token[] {
  const { text, clause } = tokens[at]!;
  const inClause = (place: number) => tokens[place]?.clause === clause;
  if (objects.has(text)) {
    let before = at - 1;
    while (inClause(before) && tokens[before]!.weight < reachedWeight) before -= 1;
    if (inClause(before)) return [tokens[before]!];
  }
  const reached: Token[] = [];
  for (let to = at + 1; inClause(to); to++) {
    if (negationParts.has(tokens[to]!.text)) continue;
    reached.push(tokens[to]!);
    // What has no "own" kernel may have a kernel.
    if (tokens[to]!.weight >= reachedWeight || tokens[to]!.text === 'own') break;
  }
  return reached;
}

/** What is not so "always" may be so at times: such a negation reaches no further than these. */
const quantifiers: ReadonlySet<string> = new Set(['always', 'necessarily', 'every', 'all', 'each', 'entirely']);

/** Whether a word is a negation by itself. */
export function isNegation({ text }: Token): boolean {
  return isNegator(text, undefined);
}

/** Marks what is negated, and what holds under a negated condition. "Not only" negates nothing. */
export function markNegations(tokens: readonly Token[]): void {
  const clauses = Map.groupBy(tokens, ({ clause }) => clause);
  for (const [at, { text, clause }] of tokens.entries()) {
    const next = tokens[at + 1]?.text;
    if (!isNegator(text, next) || next === 'only' || next === 'just') continue;
    if (next !== undefined && quantifiers.has(next)) {
      tokens[at + 1]!.negated = true;
      continue;
    }
    for (const token of clauses.get(clause)!) token.inNegative = !token.inNegative;
    for (const token of reachOf(tokens, at)) token.negated = !token.negated;
  }
  for (const sentence of Map.groupBy(tokens, (token) => token.sentence).values()) {
    const own = [...Map.groupBy(sentence, (token) => token.clause).values()];
    for (const [at, condition] of own.entries()) {
      if (!suppositions.has(condition[0]!.text) || !condition[0]!.inNegative) continue;
      // A condition says when the rest of its sentence holds, or all of it where the condition comes last.
      const governed = at < own.length - 1 ? own.slice(at) : own;
      for (const token of governed.flat()) token.underNegative = !token.underNegative;
    }
  }
}
