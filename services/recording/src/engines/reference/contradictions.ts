import type { ExpertWords } from './expert-words.ts';
import type { Token } from './tokens.ts';
import { matchWords, sameFrom } from './word-match.ts';

/** A clause with so many words of content is read by itself; a shorter one with its neighbour. */
const clauseMinWords = 4;
/** A clause speaks of a statement if it shares so many words with it, and so much of its weight. */
const least = { words: 2, share: 0.45 };
/** What is said of other subjects must fit so much better than what is said of the clause's own. */
const swapMargin = 1.1;
/** A statement that the clause contradicts must fit better than one that it agrees with: what is left of its fit. */
const agreementShare = 0.85;
/** What the opposite of a word counts at least. */
const oppositeWeight = 0.5;

/** What an answer says that contradicts the expert's points. */
export interface Contradictions {
  /** The share of the answer that does, 0–1. */
  share: number;
  /** Indexes of the points that are contradicted. */
  points: ReadonlySet<number>;
}

interface Statement {
  /** Index of its point. */
  point: number;
  tokens: readonly Token[];
  /** The contrasted things that it is about. */
  about: ReadonlySet<string>;
}

interface Comparison {
  /** Weight of the clause's words that the statement has too, or has the opposite of. */
  shared: number;
  /** How many of them it has too. */
  words: number;
  /** For each word of the clause: its weight, where it turns the statement round. */
  turned: Float64Array;
  /** For each word of the clause: its weight, by how far it finds its like in the statement. */
  alike: Float64Array;
}

type Subjects = ReadonlySet<string>;

function subjectsIn(tokens: readonly Token[], subjects: Subjects): Set<string> {
  return new Set(tokens.flatMap(({ stem }) => (subjects.has(stem) ? [stem] : [])));
}

const overlap = (a: Subjects, b: Subjects): boolean => [...a].some((one) => b.has(one));
const totalOf = (weights: Float64Array): number => weights.reduce((sum, one) => sum + one, 0);
const contentOf = (tokens: readonly Token[]): number => tokens.filter(({ weight }) => weight > 0).length;

/** The clauses of a text; short ones are joined, but for those about another subject. */
function clausesOf(tokens: readonly Token[], subjects: Subjects): Token[][] {
  return [...Map.groupBy(tokens, ({ sentence }) => sentence).values()].flatMap((sentence) => {
    const joined: Token[][] = [];
    for (const clause of Map.groupBy(sentence, (token) => token.clause).values()) {
      const last = joined.at(-1);
      const [before, now] = [subjectsIn(last ?? [], subjects), subjectsIn(clause, subjects)];
      const isAboutOther = before.size > 0 && now.size > 0 && !overlap(before, now);
      const isShort = last && (contentOf(last) < clauseMinWords || contentOf(clause) < clauseMinWords);
      if (isShort && !isAboutOther) last.push(...clause);
      else joined.push([...clause]);
    }
    return joined;
  });
}

/** Whether a word is negated on one side only, and so is its clause: "if none is given" says "if it is not given". */
const isTurned = (wanted: Token, given: Token): boolean =>
  wanted.negated !== given.negated && wanted.inNegative !== given.inNegative;

function compare(clause: readonly Token[], statement: readonly Token[], subjects: Subjects): Comparison {
  const result: Comparison = {
    shared: 0,
    words: 0,
    turned: new Float64Array(clause.length),
    alike: new Float64Array(clause.length),
  };
  const said = new Set(clause.map(({ stem }) => stem));
  const sharesNumber = statement.some(({ kind, stem }) => kind !== 'word' && said.has(stem));
  for (const [at, token] of clause.entries()) {
    if (token.weight === 0 || subjects.has(token.stem)) continue;
    const pairs = statement.map((wanted) => ({ wanted, ...matchWords(wanted, token) }));
    result.alike[at] = token.weight * Math.max(0, ...pairs.map(({ credit }) => credit));
    const same = pairs.filter(({ credit }) => credit >= sameFrom);
    // A word that the clause says as well is no opposite: "from the first to the last".
    const opposite = pairs.filter((pair) => pair.opposite && !said.has(pair.wanted.stem));
    // "A single thing of several parts" uses both opposites, so neither contradicts.
    const isSetAgainst = token.kind === 'word' && clause.some((other) => matchWords(other, token).opposite);
    if (same.length > 0) {
      result.shared += token.weight;
      result.words += 1;
      if (same.every(({ wanted }) => isTurned(wanted, token))) result.turned[at] = token.weight;
    } else if (opposite.length > 0 && !isSetAgainst && (token.kind === 'word' || !sharesNumber)) {
      result.shared += token.weight;
      if (opposite.every(({ wanted }) => wanted.negated === token.negated))
        result.turned[at] = Math.max(oppositeWeight, token.weight);
    }
  }
  return result;
}

/**
 * Where an answer turns a point round: it says nearly the same words, but with a negation, an opposite or another number;
 * or it says of one thing what the point says of the thing that the question sets beside it. An answer in quite other words
 * is not found to contradict.
 * @param points the expert's points, each in all its wordings
 */
export function contradictionsIn(
  answer: readonly Token[],
  points: readonly (readonly (readonly Token[])[])[],
  { subjects }: ExpertWords,
): Contradictions {
  const statements = points.flatMap((wordings, point) =>
    wordings.flatMap((tokens): Statement[] => {
      const whole = subjectsIn(tokens, subjects);
      return clausesOf(tokens, subjects).map((clause) => {
        const own = subjectsIn(clause, subjects);
        return { point, tokens: clause, about: own.size > 0 ? own : whole };
      });
    }),
  );
  let [total, turned] = [0, 0];
  const contradicted = new Set<number>();
  let subject: Subjects = new Set();
  let sentence = -1;
  for (const clause of clausesOf(answer, subjects)) {
    const named = subjectsIn(clause, subjects);
    if (named.size > 0 || clause[0]!.sentence !== sentence) subject = named;
    sentence = clause[0]!.sentence;
    const weight = clause.reduce((sum, one) => sum + one.weight, 0);
    const beside = clause.reduce((sum, one) => sum + (subjects.has(one.stem) ? 0 : one.weight), 0);
    total += weight;
    let best = {
      rank: 0,
      fit: 0,
      words: 0,
      turned: new Float64Array() as Float64Array,
      statement: null as Statement | null,
    };
    const likeOwn = new Float64Array(clause.length);
    const likeOther = new Float64Array(clause.length);
    // To deny of one thing what belongs to the other is right.
    const deniedOfOther = new Set<number>();
    for (const statement of statements) {
      const { shared, ...counts } = compare(clause, statement.tokens, subjects);
      const fit = beside > 0 ? shared / beside : 0;
      const { about } = statement;
      const isOwn = subject.size !== 1 || about.size !== 1 || overlap(subject, about);
      const like = isOwn ? likeOwn : likeOther;
      for (const [at, alike] of counts.alike.entries()) {
        like[at] = Math.max(like[at]!, alike);
        if (!isOwn && clause[at]!.negated && counts.turned[at]! > 0) deniedOfOther.add(at);
      }
      // Of statements that fit alike, the answer means the one that it agrees with.
      const rank = fit * (totalOf(counts.turned) > 0 || !isOwn ? agreementShare : 1);
      if (rank > best.rank) best = { ...counts, rank, fit, statement };
    }
    if (!best.statement || best.words < least.words || best.fit < least.share) continue;
    const isSwapped = totalOf(likeOther) > totalOf(likeOwn) * swapMargin;
    const denied = totalOf(best.turned.map((one, at) => (deniedOfOther.has(at) ? 0 : one)));
    const share = isSwapped ? 1 : Math.min(1, denied);
    turned += weight * share;
    if (share >= oppositeWeight) contradicted.add(best.statement.point);
  }
  return { share: total > 0 ? turned / total : 0, points: contradicted };
}
