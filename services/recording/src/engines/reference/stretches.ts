import type { Token } from './token.ts';

/** A stretch of an answer, a sentence or a part of a long one: the indexes of its tokens that carry meaning. */
export type Stretch = readonly number[];

/** A complete thought has at most this many content words: longer sentences are read in overlapping stretches. */
const stretchMax = 22;

/** In an answer of at most this many sentences every two neighbours are also read together: a point may be made in both. */
const pairedMax = 16;

/** The stretches of an answer. A sentence is one wherever it stands, so the order of sentences does not matter. */
export function stretchesOf(tokens: readonly Token[]): Stretch[] {
  const sentences = new Map<number, number[]>();
  for (const [at, { sentence, weight }] of tokens.entries()) {
    if (weight === 0) continue;
    const own = sentences.get(sentence);
    if (own) own.push(at);
    else sentences.set(sentence, [at]);
  }
  const parts = [...sentences.values()].flatMap((content) => {
    const count = Math.max(1, content.length - stretchMax + 1);
    return Array.from({ length: count }, (_, from) => content.slice(from, from + stretchMax));
  });
  if (sentences.size > pairedMax) return parts;
  const whole = [...sentences.values()];
  const pairs = whole.flatMap((one, index) => whole.slice(index + 1).map((other) => [...one, ...other]));
  return [...parts, ...pairs.filter(({ length }) => length <= stretchMax)];
}
