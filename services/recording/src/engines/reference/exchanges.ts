import type { Rivals } from './rivals.ts';
import type { Token } from './token.ts';

/** Words of less weight are not taken for exchanged, and do not show it. */
const leastWeight = 0.4;
/** A word belongs to the words of content that are so near to it, within a clause. */
const near = 4;
/** Evidence that two words have changed places must outweigh the evidence that they have not by this factor. */
const margin = 0.5;

/** For each word of content of a text, by its stem: the stems beside it, with their weights. */
type Neighbours = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * @param subjects stems that only what follows belongs to, up to the next of them: rivals in a text that nobody has
 * punctuated
 */
function neighboursIn(texts: readonly (readonly Token[])[], subjects: ReadonlySet<string> = new Set()): Neighbours {
  const neighbours = new Map<string, Map<string, number>>();
  for (const tokens of texts) {
    const content = tokens.filter(({ weight }) => weight >= leastWeight);
    for (const [at, { stem, clause }] of content.entries()) {
      const beside = neighbours.get(stem) ?? new Map<string, number>();
      neighbours.set(stem, beside);
      const isSubject = subjects.has(stem);
      for (const other of content.slice(isSubject ? at + 1 : Math.max(0, at - near), at + near + 1)) {
        if (isSubject && subjects.has(other.stem)) break;
        if (other.clause === clause && other.stem !== stem) beside.set(other.stem, other.weight);
      }
    }
  }
  return neighbours;
}

/** Weight of what stands beside a word and beside `wanted` in the expert answer, but not beside `other` there. */
function sharedWith(beside: ReadonlyMap<string, number>, wanted: string, other: string, expert: Neighbours): number {
  const [own, its] = [expert.get(wanted)!, expert.get(other)!];
  let sum = 0;
  for (const [stem, weight] of beside)
    if (own.has(stem) && !its.has(stem) && stem !== wanted && stem !== other) sum += weight;
  return sum;
}

/**
 * Words that an answer has put in one another's place ("maps a bucket to a key"), as pairs of stems: each stands beside
 * what the expert has beside the other. Only rivals and terms are mistaken for one another so.
 */
export function exchangedIn(
  answer: readonly Token[],
  expertTexts: readonly (readonly Token[])[],
  rivals: readonly Rivals[],
  runsOn: boolean,
): [string, string][] {
  const terms = new Set(answer.flatMap(({ stem, weight }) => (weight === 1 ? [stem] : [])));
  const areTerms = (a: string, b: string) =>
    (terms.has(a) && terms.has(b)) || rivals.some(({ stems }) => stems.has(a) && stems.has(b));

  const subjects = new Set(runsOn ? rivals.flatMap(({ stems }) => [...stems]) : []);
  const [said, expert] = [neighboursIn([answer], subjects), neighboursIn(expertTexts)];
  const shared = [...said.keys()].filter((stem) => expert.has(stem));
  return shared.flatMap((one, at) =>
    shared.slice(at + 1).flatMap((other): [string, string][] => {
      if (!areTerms(one, other)) return [];
      const [ofOne, ofOther] = [said.get(one)!, said.get(other)!];
      const turned = [sharedWith(ofOne, other, one, expert), sharedWith(ofOther, one, other, expert)] as const;
      if (Math.min(...turned) < leastWeight) return [];
      const kept = sharedWith(ofOne, one, other, expert) + sharedWith(ofOther, other, one, expert);
      return turned[0] + turned[1] > kept + margin ? [[one, other]] : [];
    }),
  );
}
