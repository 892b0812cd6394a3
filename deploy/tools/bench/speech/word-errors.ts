import type { Measure } from '../measure.ts';
import { type Clip, peopleClips, peopleFolder, technicalClips } from './clips.ts';
import { type Heard, hearClips } from './hear-clips.ts';

/** Sounds that are not words. */
const fillers = new Set(['hmm', 'mm', 'mhm', 'mmm', 'uh', 'um', 'uhm', 'er', 'erm']);

/** Irregular contractions come first, since the general endings would split them wrongly. */
const contractions: readonly (readonly [RegExp, string])[] = [
  [/\bwon't\b/g, 'will not'],
  [/\bcan't\b/g, 'can not'],
  [/\bcannot\b/g, 'can not'],
  [/\blet's\b/g, 'let us'],
  [/\b(it|he|she|that|there|what|where|who|here)'s\b/g, '$1 is'],
  [/n't\b/g, ' not'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'d\b/g, ' would'],
  [/'m\b/g, ' am'],
];

const abbreviations: Record<string, string> = { mr: 'mister', mrs: 'missus', dr: 'doctor', vs: 'versus', ok: 'okay' };

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** Unifies British and American spelling. Applied to both sides, so mangling words like 'promise' is harmless. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/^(\w{3,})is(e[ds]?|er|ers|ing|ations?)$/, '$1iz$2'],
  [/^(\w{2,})our(s|ed|ing)?$/, '$1or$2'],
  [/^(\w{3,}[^l])tre$/, '$1ter'],
];

function numberOf(words: readonly string[], at: number): { value: number; words: number } | null {
  const ten = tens.indexOf(words[at]!);
  const one = small.indexOf(words[at]!);
  if (ten < 2) return one < 0 ? null : { value: one, words: 1 };
  const next = small.indexOf(words[at + 1] ?? '');
  return next > 0 && next < 10 ? { value: ten * 10 + next, words: 2 } : { value: ten * 10, words: 1 };
}

/**
 * The words of an English text, normalized for comparison like Whisper's English normalizer does: lower case, without
 * bracketed text, fillers and punctuation, with expanded contractions, numbers under a hundred as digits, and one spelling
 * for British and American words. 'event-driven' equals 'event driven', but 'WebSocket' differs from 'web socket'.
 */
export function normalizeEnglish(text: string): string[] {
  let plain = text
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/\[[^\]]*\]|\([^)]*\)/g, ' ');
  for (const [from, to] of contractions) plain = plain.replace(from, to);
  const words = plain
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/'s\b/g, 's')
    .replace(/\.(?!\d)|[^\p{L}\p{N}.]+/gu, ' ')
    .split(' ')
    .filter((word) => word !== '' && !fillers.has(word));
  const shown: string[] = [];
  for (let at = 0; at < words.length; ) {
    const number = numberOf(words, at);
    shown.push(number ? String(number.value) : oneSpelling(abbreviations[words[at]!] ?? words[at]!));
    at += number?.words ?? 1;
  }
  return shown;
}

const oneSpelling = (word: string): string =>
  spellings.reduce((spelled, [from, to]) => spelled.replace(from, to), word);

/** The number of words said, and of substitutions, deletions and insertions. */
export interface WordErrors {
  said: number;
  wrong: number;
}

/** The minimum edit distance from the words said to the words heard (Levenshtein). */
export function countWordErrors(said: readonly string[], heard: readonly string[]): WordErrors {
  let row = Array.from({ length: heard.length + 1 }, (_, at) => at);
  for (const [index, word] of said.entries()) {
    const next = [index + 1];
    for (const [at, other] of heard.entries())
      next.push(Math.min(row[at]! + (word === other ? 0 : 1), row[at + 1]! + 1, next[at]! + 1));
    row = next;
  }
  return { said: said.length, wrong: row[heard.length]! };
}

/** The longest run of words said but not heard, outside the longest common subsequence. */
export function longestLoss(said: readonly string[], heard: readonly string[]): string[] {
  const common = Array.from({ length: said.length + 1 }, () => new Uint16Array(heard.length + 1));
  for (let a = said.length - 1; a >= 0; a--)
    for (let b = heard.length - 1; b >= 0; b--)
      common[a]![b] =
        said[a] === heard[b] ? common[a + 1]![b + 1]! + 1 : Math.max(common[a + 1]![b]!, common[a]![b + 1]!);
  let longest: string[] = [];
  let run: string[] = [];
  let [a, b] = [0, 0];
  while (a < said.length) {
    if (b < heard.length && said[a] === heard[b]) [a, b, run] = [a + 1, b + 1, []];
    // A substituted word is wrong, but not lost.
    else if (b < heard.length && common[a + 1]![b + 1] === common[a]![b]) [a, b] = [a + 1, b + 1];
    else if (b < heard.length && common[a]![b + 1] === common[a]![b]) b += 1;
    else {
      run = [...run, said[a]!];
      a += 1;
    }
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

export function errorRate(counts: readonly WordErrors[]): number {
  const said = counts.reduce((sum, count) => sum + count.said, 0);
  return (100 * counts.reduce((sum, count) => sum + count.wrong, 0)) / said;
}

/** The limit applies to the first, which is the default; the others are only reported. */
const engines = ['whisper', 'whisper-cli', 'pocketsphinx'] as const;

const rateOf = (heard: readonly Heard[]): number =>
  errorRate(heard.map(({ clip, text }) => countWordErrors(normalizeEnglish(clip.said), normalizeEnglish(text))));

/** The error rates of all clips and of each group, e.g. '6.0 (slt 5.1, rms 6.9)'. */
function describeRates(heard: readonly Heard[]): string {
  const groups = [...new Set(heard.map(({ clip }) => clip.group))];
  const all = rateOf(heard).toFixed(1);
  if (groups.length < 2) return all;
  const each = groups.map((group) => `${group} ${rateOf(heard.filter(({ clip }) => clip.group === group)).toFixed(1)}`);
  return `${all} (${each.join(', ')})`;
}

const wordErrors = (what: string, limit: number, clipsOf: (folder: string) => Promise<Clip[]>): Measure => ({
  what,
  unit: '%',
  limit,
  async run({ folder, say }) {
    const clips = await clipsOf(folder);
    if (clips.length === 0) throw new Error(`There are no clips in ${peopleFolder}`);
    const described: string[] = [];
    let value = Number.NaN;
    for (const engine of engines) {
      const heard = await hearClips(engine, clips);
      if (heard && engine === engines[0]) value = rateOf(heard);
      if (!heard) described.push(`${engine} cannot run here`);
      else {
        described.push(`${engine} ${describeRates(heard)}`);
        for (const { clip, text } of heard) say(`${engine}, ${clip.group}: ${text}`);
      }
    }
    return { value, from: `${clips.length} clips; ${described.join('; ')}` };
  },
});

/** The default engine's word errors on people. */
export const peopleWordErrors = wordErrors('word error rate on people', 5, peopleClips);

/** Its word errors on technical answers, with the glossary that the product derives from the set. */
export const technicalWordErrors = wordErrors('word error rate on technical answers', 9, technicalClips);
