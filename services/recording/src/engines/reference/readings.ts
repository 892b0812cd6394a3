import { clauseBreaks, suppositions } from './english-words.ts';
import type { Rivals } from './rivals.ts';
import type { Token } from './token.ts';

/** Stems of rivals that a clause names. */
export type Named = ReadonlySet<string>;

/** A clause of a text, with what it is about. */
export interface Reading {
  tokens: readonly Token[];
  /** For each group of rivals, those that the clause is about. */
  about: readonly Named[];
}

/** A clause of fewer words of content is read together with the one before it. */
const clauseMinWords = 2;
/** What follows on a clause of fewer words of content is read together with it. */
const openingMinWords = 3;
/** A clause that begins with one of these is about what came before it. */
const pronouns: ReadonlySet<string> = new Set(['it', 'its', 'they', 'their', 'this', 'these', 'the', 'which']);

/** A sentence of more words is taken for text without punctuation: what "it" refers to is unknown. */
const longSentence = 40;

function namedIn(tokens: readonly Token[], { stems, plain }: Rivals): Named {
  // "Lighter than a process" is about something else than a process.
  const compared = tokens.findIndex(({ text }) => text === 'than');
  const own = compared < 0 ? tokens : tokens.slice(0, compared);
  const named = new Set(own.flatMap(({ stem, negated }) => (stems.has(stem) && !negated ? [stem] : [])));
  if (plain !== null && named.size > 1) named.delete(plain);
  return named;
}

const contentOf = (tokens: readonly Token[]): number => tokens.filter(({ weight }) => weight > 0).length;

/** Whether two sets of rivals name different ones. */
export function areRivals(a: Named, b: Named): boolean {
  return a.size > 0 && b.size > 0 && ![...a].some((one) => b.has(one));
}

/** The clauses of a sentence; short ones are joined, but for those about another rival. */
function clausesOf(sentence: readonly Token[], groups: readonly Rivals[]): Token[][] {
  const joined: Token[][] = [];
  for (const clause of Map.groupBy(sentence, (token) => token.clause).values()) {
    const last = joined.at(-1);
    const isShort = last && (contentOf(last) < openingMinWords || contentOf(clause) < clauseMinWords);
    const isOther = last && groups.some((group) => areRivals(namedIn(last, group), namedIn(clause, group)));
    if (isShort && !isOther) last.push(...clause);
    else joined.push([...clause]);
  }
  return joined;
}

/**
 * Reads texts that follow one another, clause by clause. A clause that names no rival of a group is about those that the
 * clause before it is about, or the sentence before if it begins with "it" or "so".
 */
export function readingsOf(texts: readonly (readonly Token[])[], groups: readonly Rivals[]): Reading[][] {
  const nobody = groups.map((): Named => new Set());
  let before: readonly Named[] = nobody;
  return texts.map((tokens) =>
    [...Map.groupBy(tokens, ({ sentence }) => sentence).values()].flatMap((sentence) => {
      const [{ text }] = sentence as [Token];
      if (!pronouns.has(text) && !clauseBreaks.has(text)) before = nobody;
      return clausesOf(sentence, groups).map((clause): Reading => {
        // What a condition is about comes after it.
        if (sentence.length > longSentence || suppositions.has(clause[0]!.text)) before = nobody;
        const denies = groups.map((group) => clause.some(({ stem, negated }) => negated && group.stems.has(stem)));
        const about = groups.map((group, index) => {
          const named = namedIn(clause, group);
          return named.size > 0 || denies[index] ? named : before[index]!;
        });
        before = about.map((named, index) => (denies[index] ? new Set<string>() : named));
        return { tokens: clause, about };
      });
    }),
  );
}
