import { areRivals, type Reading } from './readings.ts';
import type { Rivals } from './rivals.ts';
import type { Token } from './token.ts';
import { matchWords } from './word-match.ts';

/** A word speaks for a rival if it is so like what is said of it. */
const alikeFrom = 0.8;
/** The least evidence for other rivals: its words, its weight, its share, and how many times the evidence for the clause's own rival. */
const least = { words: 2, weight: 0.4, share: 0.25, times: 2 };
/** The least weight of evidence that is a single word. */
const oneWordWeight = 0.84;
/** The share of what is said of no rival that counts as evidence for the clause's own. */
const noneShare = 0.5;

/** How far a word is said in statements, 0–1; what is said with a negation on one side only is not. */
const saidIn = (token: Token, statements: readonly Reading[]): number =>
  statements.reduce((most, { tokens }) => {
    const credit = tokens.reduce(
      (best, wanted) =>
        Math.max(best, wanted.negated === token.negated || wanted.conditional ? matchWords(wanted, token).credit : 0),
      0,
    );
    return Math.max(most, credit < alikeFrom ? 0 : credit);
  }, 0);

/**
 * Whether a clause says of one rival what the statements say of another: its words are found in what is said of the
 * others rather than in what is said of its own, or of none.
 */
export function isSwapped(clause: Reading, statements: readonly Reading[], group: number, { stems }: Rivals): boolean {
  const subject = clause.about[group]!;
  if (subject.size !== 1) return false;
  const ofOthers = statements.filter(({ about }) => areRivals(about[group]!, subject));
  if (ofOthers.length === 0) return false;
  const ofOwn = statements.filter((one) => !ofOthers.includes(one));
  const ofNone = ofOwn.filter(({ about }) => about[group]!.size === 0);
  const aboutOwn = ofOwn.filter(({ about }) => about[group]!.size > 0);
  let [forOwn, forOthers, words, total] = [0, 0, 0, 0];
  for (const token of clause.tokens) {
    if (token.weight === 0 || stems.has(token.stem)) continue;
    total += token.weight;
    const own = Math.max(saidIn(token, aboutOwn), noneShare * saidIn(token, ofNone));
    const more = saidIn(token, ofOthers) - own;
    if (more > 0) {
      forOthers += token.weight * more;
      words += 1;
    } else forOwn -= token.weight * more;
  }
  const isClear = words >= least.words ? forOthers >= least.weight : forOthers >= oneWordWeight;
  return isClear && forOthers >= least.share * total && forOthers > least.times * forOwn;
}
