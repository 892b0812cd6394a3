import { compareClauses } from './clause-comparison.ts';
import { clauseBreaks } from './english-words.ts';
import { exchangedIn } from './exchanges.ts';
import type { ExpertWords } from './expert-words.ts';
import { areRivals, type Reading, readingsOf } from './readings.ts';
import { isRunOn } from './run-ons.ts';
import { isSwapped } from './swaps.ts';
import type { Token } from './token.ts';

/** A clause is about a statement if they share this many words, this share of one of them, and this share of both on average. */
const least = { words: 2, fit: 0.5, likeness: 0.45 };
/** Of statements that fit alike, the answer means the one that it agrees with: what is left of the fit of another. */
const agreementShare = 0.85;
/** How far a clause at least contradicts that has one word in the place of another. */
const exchangedShare = 1;
/** From this share on, a clause contradicts a point. */
const contradictsFrom = 0.5;

/** What an answer says that contradicts the expert's points. */
export interface Contradictions {
  /** The share of the answer that does, 0–1. */
  share: number;
  /** Indexes of the points that are contradicted. */
  points: ReadonlySet<number>;
}

interface Statement extends Reading {
  /** Index of its point. */
  point: number;
}

/** A clause about another rival with fewer content words than this leaves out what was said before: "and linear in a list". */
const wholeWords = 3;

const isElliptical = ({ tokens }: Reading, subjects: ReadonlySet<string>): boolean =>
  clauseBreaks.has(tokens[0]!.text) &&
  tokens.some(({ stem }) => subjects.has(stem)) &&
  tokens.filter(({ weight, stem }) => weight > 0 && !subjects.has(stem)).length < wholeWords;

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/** How far a clause turns round the statement that it fits best, 0–1, and the point that the statement belongs to. */
function turnedBy(clause: Reading, statements: readonly Statement[], { rivals, stems }: ExpertWords, runsOn: boolean) {
  const subjects = rivals[0]?.stems ?? new Set<string>();
  const swapped = !runsOn && rivals.some((group, index) => isSwapped(clause, statements, index, group));
  const isCut = rivals.length > 0 && isElliptical(clause, subjects);
  const isOther = ({ about }: Statement) => rivals.some((_, index) => areRivals(about[index]!, clause.about[index]!));
  let best = { rank: 0, share: 0, point: -1 };
  // To deny of one thing what belongs to another, or to say the opposite, is right.
  const ofOthers = new Set<number>();
  for (const statement of statements) {
    const { fit, likeness, words, turned } = compareClauses(clause.tokens, statement.tokens, subjects, stems);
    if (isOther(statement)) {
      for (const [at, weight] of turned.entries()) if (weight > 0) ofOthers.add(at);
      continue;
    }
    if (isCut || words < least.words || fit < least.fit || likeness < least.likeness) continue;
    const share = sum(turned.map((weight, at) => (ofOthers.has(at) ? 0 : weight)));
    const rank = likeness * (share > 0 ? agreementShare : 1);
    if (rank > best.rank) best = { rank, share, point: statement.point };
  }
  return { share: swapped ? 1 : Math.min(1, best.share), point: best.point };
}

/**
 * Where an answer turns a point round: it says nearly the same words, but with a negation, an opposite or another number;
 * or it says of one thing what the points say of its rival. An answer in quite other words is not found to contradict.
 * @param points the expert's points, each in all its wordings
 */
export function contradictionsIn(
  answer: readonly Token[],
  points: readonly (readonly (readonly Token[])[])[],
  expert: ExpertWords,
): Contradictions {
  const texts = points.flatMap((wordings, point) => wordings.map((tokens) => ({ point, tokens })));
  const statements = readingsOf(
    texts.map(({ tokens }) => tokens),
    expert.rivals,
  ).flatMap((readings, index) => readings.map((reading): Statement => ({ ...reading, point: texts[index]!.point })));
  let [total, turned] = [0, 0];
  const contradicted = new Set<number>();
  const runsOn = isRunOn(answer, expert.rivals);
  const exchanged = new Set(
    exchangedIn(
      answer,
      texts.map(({ tokens }) => tokens),
      expert.rivals,
      runsOn,
    ).flat(),
  );
  // Sentence by sentence, so that their order does not matter.
  const sentences = Map.groupBy(answer, ({ sentence }) => sentence).values();
  for (const clause of [...sentences].flatMap((sentence) => readingsOf([sentence], expert.rivals).flat())) {
    const weight = sum(clause.tokens.map((token) => token.weight));
    const found = turnedBy(clause, statements, expert, runsOn);
    const isExchanged = clause.tokens.some(({ stem }) => exchanged.has(stem));
    const { point } = found;
    const share = isExchanged ? Math.max(exchangedShare, found.share) : found.share;
    total += weight;
    turned += weight * share;
    if (share >= contradictsFrom && point >= 0) contradicted.add(point);
  }
  return { share: total > 0 ? turned / total : 0, points: contradicted };
}
