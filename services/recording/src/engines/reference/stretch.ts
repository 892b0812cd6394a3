/** Where an answer says a wanted word, token indices with ends included, and how well, 0–1. */
export interface Hit {
  from: number;
  to: number;
  credit: number;
}

/** A word that a point says, what it is worth there, and where the answer says it. */
export interface WantedWord {
  weight: number;
  hits: readonly Hit[];
}

/** The part of an answer that says a point. */
export interface Stretch {
  from: number;
  to: number;
  /** The weights of the point's words that it says, less what it says besides. */
  earned: number;
  /** How many of the point's words it says. */
  words: number;
}

/**
 * What a stretch says besides the point costs this much of each other word's weight: any long talk shares some words
 * with any point, but scattered among others.
 */
const otherWordCost = 0.08;

/**
 * The stretch that says most of a point; null where nothing does.
 * @param reach how many tokens it may span
 * @param saidBefore for each token, and the end, the summed weight of the tokens before it
 */
export const bestStretch = (
  wanted: readonly WantedWord[],
  reach: number,
  saidBefore: readonly number[],
): Stretch | null => {
  const hits = wanted
    .flatMap(({ weight, hits: own }, word) =>
      own.map(({ from, to, credit }) => ({ from, to, word, worth: weight * credit })),
    )
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => a.from - b.from);
  let best: Stretch | null = null;
  for (const [index, { from }] of hits.entries()) {
    const worths = new Map<number, number>();
    let earned = 0;
    let matched = 0;
    let to = from;
    for (let at = index; at < hits.length && hits[at]!.from < from + reach; at++) {
      const hit = hits[at]!;
      if (hit.to >= from + reach) continue;
      const before = worths.get(hit.word);
      if (before === undefined) matched += saidBefore[hit.to + 1]! - saidBefore[hit.from]!;
      if (hit.worth <= (before ?? 0)) continue;
      worths.set(hit.word, hit.worth);
      earned += hit.worth - (before ?? 0);
      to = Math.max(to, hit.to);
      const besides = Math.max(0, saidBefore[to + 1]! - saidBefore[from]! - matched);
      const value = earned - otherWordCost * besides;
      if (value > (best?.earned ?? 0)) best = { from, to, earned: value, words: worths.size };
    }
  }
  return best;
};
