import { spellingLikeness } from './edit-distance.ts';
import type { Token } from './token.ts';

/** A text as one stream of consonants, so that words which a recogniser split or joined are found all the same. */
export interface SoundStream {
  tokens: readonly Token[];
  sounds: string;
  /** For each sound, the index of the token that it belongs to. */
  owners: readonly number[];
}

/** Sounds that are easily taken for one another: replacing one by the other costs half. */
const alike = ['PTK', 'FSXJ0', 'T0', 'MN', 'LR', 'PF'];
const asciiSize = 128;
const replacementCosts = new Float32Array(asciiSize * asciiSize).fill(1);
for (let code = 0; code < asciiSize; code++) replacementCosts[code * asciiSize + code] = 0;
for (const group of alike)
  for (const a of group)
    for (const b of group) if (a !== b) replacementCosts[a.charCodeAt(0) * asciiSize + b.charCodeAt(0)] = 0.5;

/** How far from what was meant a word may sound, by its number of sounds; shorter words are not compared by sound. */
const tolerances = [-1, -1, -1, 0.5, 1, 1.5, 2, 2.5];
const shortestCompared = 3;
/** What was heard must also look somewhat like what was meant: consonants alone match too easily. */
const leastLikeness = 0.4;

/** Short words must sound the same, be whole words and look half alike: "rows" and "rose", "null" and "nile". */
const shortestSound = 2;
const shortLikeness = 0.5;

const shortMatches = (wanted: Token, tokens: readonly Token[]): { from: number; to: number; credit: number }[] =>
  tokens.flatMap((token, at) => {
    if (token.sound !== wanted.sound || token.weight === 0) return [];
    const likeness = spellingLikeness(wanted.text, token.text);
    return likeness >= shortLikeness ? [{ from: at, to: at, credit: likeness }] : [];
  });

/** The stream of a text's tokens. */
export function soundStreamOf(tokens: readonly Token[]): SoundStream {
  const owners = tokens.flatMap((token, index) => new Array<number>(token.sound.length).fill(index));
  return { tokens, sounds: tokens.map((token) => token.sound).join(''), owners };
}

/**
 * Where the stream sounds like the wanted word: index ranges of tokens, ends included, with what each is worth, 0–1. By
 * Sellers' algorithm: the edit distance to the best stretch that ends at each place. A stretch begins or ends a word.
 */
export function soundMatches(wanted: Token, stream: SoundStream): { from: number; to: number; credit: number }[] {
  const { sounds, owners, tokens } = stream;
  const pattern = wanted.sound;
  const allowed = tolerances[Math.min(pattern.length, tolerances.length - 1)]!;
  if (pattern.length < shortestCompared) return pattern.length < shortestSound ? [] : shortMatches(wanted, tokens);
  const found: { from: number; to: number; credit: number }[] = [];
  const rows = pattern.length + 1;
  let costs = Float32Array.from({ length: rows }, (_, row) => row);
  let starts = new Int32Array(rows);
  let nextCosts = new Float32Array(rows);
  let nextStarts = new Int32Array(rows);
  for (let at = 0; at < sounds.length; at++) {
    const heard = sounds.charCodeAt(at);
    nextCosts[0] = 0;
    nextStarts[0] = at + 1;
    for (let row = 1; row < rows; row++) {
      const replaced = costs[row - 1]! + replacementCosts[pattern.charCodeAt(row - 1) * asciiSize + heard]!;
      const inserted = costs[row]! + 1;
      const dropped = nextCosts[row - 1]! + 1;
      const best = Math.min(replaced, inserted, dropped);
      nextCosts[row] = best;
      if (best === replaced) nextStarts[row] = row === 1 ? at : starts[row - 1]!;
      else nextStarts[row] = best === inserted ? starts[row]! : nextStarts[row - 1]!;
    }
    [costs, nextCosts] = [nextCosts, costs];
    [starts, nextStarts] = [nextStarts, starts];
    const start = starts[rows - 1]!;
    if (costs[rows - 1]! > allowed || start > at) continue;
    const from = owners[start]!;
    const to = owners[at]!;
    if (owners[start - 1] === from && owners[at + 1] === to) continue;
    const heardLetters = tokens
      .slice(from, to + 1)
      .map((token) => token.text)
      .join('');
    const likeness = spellingLikeness(wanted.text, heardLetters);
    if (likeness >= leastLikeness) found.push({ from, to, credit: likeness });
  }
  return found;
}
