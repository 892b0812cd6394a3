import { clauseBreaks } from './english-words.ts';
import { isNegation } from './negations.ts';
import type { Token } from './token.ts';
import { matchWords, sameFrom } from './word-match.ts';

/** How a clause of an answer compares with a statement of the expert's. */
export interface Comparison {
  /** How much of the clause, or of the statement where that is more, the other says too, 0–1; opposites are left out. */
  fit: number;
  /** How much of both the other says too, 0–1: the mean of the two. */
  likeness: number;
  /** How many words both say, or say the opposite of. */
  words: number;
  /** For each word of the clause: its weight, where it turns the statement round. */
  turned: readonly number[];
}

/** What a word that turns a statement round counts at least. */
const turnedWeightLeast = 0.5;
/** The weight of what a clause covers of a statement, next to what the statement covers of the clause. */
const statementShare = 0.9;
/** A word can be a clause's subject from this weight on, and two subjects are the same from this credit on. */
const subjectWeight = 0.5;
const subjectLikeness = 0.7;
/** Only words of at least this weight count as having changed places. */
const movedWeight = 0.4;
/** A statement of fewer words of content is too easily covered. */
const statementMinWords = 3;
/** Between two words these say which of them comes first, is the source or is the greater. */
const directions: ReadonlySet<string> = new Set(['to', 'into', 'from', 'than', 'before', 'after', 'by', 'over']);

const weightOf = (tokens: readonly Token[]): number => tokens.reduce((sum, { weight }) => sum + weight, 0);

/** The word of content beside a number: "200 milliseconds". */
function unitOf(tokens: readonly Token[], at: number): Token | undefined {
  const isUnit = ({ weight, kind }: Token) => weight > 0 && kind === 'word';
  return tokens.slice(at + 1, at + 4).find(isUnit) ?? tokens.slice(Math.max(0, at - 3), at).findLast(isUnit);
}

/** Whether a word is negated on one side only, and so is its clause: "if none is given" says "if it is not given". */
const isNegated = (wanted: Token, given: Token): boolean =>
  wanted.negated !== given.negated &&
  wanted.inNegative !== given.inNegative &&
  wanted.underNegative === given.underNegative &&
  !wanted.conditional &&
  !given.conditional;

/**
 * Whether a number stands where the statement has another one of the same unit; or, where neither has a unit, whether the
 * expert never gives it at all.
 */
function isOtherNumber(
  clause: readonly Token[],
  at: number,
  statement: readonly Token[],
  known: ReadonlySet<string>,
): boolean {
  const { kind, stem } = clause[at]!;
  const others = statement.flatMap((token, place) =>
    token.kind === kind ? [{ stem: token.stem, unit: unitOf(statement, place)?.stem }] : [],
  );
  const unit = unitOf(clause, at)?.stem;
  const sameUnit = others.filter((one) => unit !== undefined && one.unit === unit);
  if (sameUnit.length > 0) return sameUnit.every((one) => one.stem !== stem);
  const isGiven = clause.some((token) => token.kind === kind && others.some((one) => one.stem === token.stem));
  return others.length > 0 && !isGiven && !known.has(stem);
}

/**
 * Whether two clauses may be about the same: the first word of content of one is somewhere in the other. What is denied of
 * one thing may well be said of another.
 */
function shareSubject(clause: readonly Token[], statement: readonly Token[]): boolean {
  const opens = (tokens: readonly Token[]) => tokens.find(({ weight }) => weight >= subjectWeight);
  const goesOn = (tokens: readonly Token[]) => clauseBreaks.has(tokens[0]!.text);
  if (goesOn(clause) || goesOn(statement)) return true;
  const [own, other] = [opens(clause), opens(statement)];
  const isIn = (token: Token | undefined, tokens: readonly Token[]) =>
    token === undefined || tokens.some((one) => matchWords(token, one).credit >= subjectLikeness);
  return isIn(own, statement) || isIn(other, clause);
}

/** Which two words, each said once on both sides, have changed places about a word such as "to" or "than". */
function reversedIn(clause: readonly Token[], statement: readonly Token[]): Set<number> {
  const placesOf = (tokens: readonly Token[]) => {
    const places = new Map<string, number>();
    for (const [at, { stem, weight }] of tokens.entries())
      if (weight >= movedWeight) places.set(stem, places.has(stem) ? -1 : at);
    return places;
  };
  const between = (tokens: readonly Token[], from: number, to: number) =>
    tokens.slice(from + 1, to).flatMap(({ text }) => (directions.has(text) ? [text] : []));
  const contentBetween = (tokens: readonly Token[], from: number, to: number) =>
    tokens.slice(from + 1, to).filter(({ weight }) => weight > 0).length;
  const [here, there] = [placesOf(clause), placesOf(statement)];
  const reversed = new Set<number>();
  const shared = [...here].filter(([stem, at]) => at >= 0 && (there.get(stem) ?? -1) >= 0);
  for (const [first, at] of shared)
    for (const [second, to] of shared) {
      const [from, other] = [there.get(first)!, there.get(second)!];
      if (at >= to || from <= other) continue;
      const words = between(statement, other, from);
      const own = between(clause, at, to);
      if (contentBetween(clause, at, to) > 1 || contentBetween(statement, other, from) > 1) continue;
      if (own.length === 1 && words.length === 1 && own[0] === words[0]) reversed.add(at);
    }
  return reversed;
}

/**
 * Sets a clause beside a statement.
 * @param ignored stems that what is said is about
 * @param known stems of the question's and the expert answer's words
 */
export function compareClauses(
  clause: readonly Token[],
  statement: readonly Token[],
  ignored: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Comparison {
  const own = clause.filter(({ stem }) => !ignored.has(stem));
  const other = statement.filter(({ stem }) => !ignored.has(stem));
  const said = new Set(clause.map(({ stem }) => stem));
  const [found, opposed] = [new Set<Token>(), new Set<Token>()];
  const hasSameSubject = shareSubject(clause, statement);
  const reversed = reversedIn(clause, statement);
  let [shared, words, turnedWeight] = [0, 0, 0];
  // What is both negated and set against its opposite says the same: "up to 23 it does" and "from 24 on it does not".
  let [negations, opposites] = [0, 0];
  const turned = clause.map((token, at): number => {
    if (token.weight === 0 || ignored.has(token.stem)) return 0;
    const pairs = other.map((wanted) => ({ wanted, ...matchWords(wanted, token) }));
    const alike = pairs.filter(({ credit }) => credit >= sameFrom);
    // "Optimistic locking takes no lock" denies the lock, not the locking.
    const exact = alike.filter(({ wanted }) => wanted.text === token.text);
    const same = exact.length > 0 ? exact : alike;
    for (const { wanted } of same) found.add(wanted);
    if (same.length > 0) {
      shared += token.weight;
      words += 1;
      const negated = hasSameSubject && same.every(({ wanted }) => isNegated(wanted, token));
      if (negated) negations += 1;
      const isTurned = reversed.has(at) || negated;
      return isTurned ? Math.max(turnedWeightLeast, token.weight) : 0;
    }
    // A word that the clause says as well is no opposite: "from the first to the last".
    const opposite = pairs.filter(({ opposite, wanted }) => opposite && !said.has(wanted.stem) && !isNegation(wanted));
    if (opposite.length === 0 || isNegation(token)) return 0;
    // "A single thing of several parts" uses both opposites, so neither contradicts.
    const isWord = token.kind === 'word';
    if (isWord && clause.some((one) => matchWords(one, token).opposite)) return 0;
    turnedWeight += token.weight;
    words += 1;
    for (const { wanted } of opposite) opposed.add(wanted);
    const isTurned = isWord
      ? opposite.every(({ wanted }) => wanted.negated === token.negated)
      : isOtherNumber(clause, at, statement, known);
    if (isWord ? isTurned : known.has(token.stem)) opposites += 1;
    return isTurned ? Math.max(turnedWeightLeast, token.weight) : 0;
  });
  const [ownWeight, otherWeight] = [weightOf(own) - turnedWeight, weightOf(other.filter((one) => !opposed.has(one)))];
  const ofClause = ownWeight > 0 ? shared / ownWeight : 0;
  const ofStatement = otherWeight > 0 ? weightOf([...found]) / otherWeight : 0;
  const isWhole = other.filter(({ weight }) => weight > 0).length >= statementMinWords;
  const fit = Math.max(ofClause, isWhole ? statementShare * ofStatement : 0);
  return {
    fit,
    likeness: (ofClause + ofStatement) / 2,
    words,
    turned: negations > 0 && opposites > 0 ? turned.map(() => 0) : turned,
  };
}
