import type { Measure } from '../measure.ts';
import { type Clip, peopleClips, peopleFolder, technicalClips } from './clips.ts';
import { type Heard, hearClips } from './hear-clips.ts';
import { normaliseEnglish } from './normalise-english.ts';

/** How many words were said, and how many were replaced, left out or added. */
interface WordErrors {
  said: number;
  wrong: number;
}

/** The least number of changes that turn the words that were said into those that were heard (Levenshtein). */
function countWordErrors(said: readonly string[], heard: readonly string[]): WordErrors {
  let row = Array.from({ length: heard.length + 1 }, (_, at) => at);
  for (const [index, word] of said.entries()) {
    const next = [index + 1];
    for (const [at, other] of heard.entries())
      next.push(Math.min(row[at]! + (word === other ? 0 : 1), row[at + 1]! + 1, next[at]! + 1));
    row = next;
  }
  return { said: said.length, wrong: row[heard.length]! };
}

/** Wrong words in 100. */
function errorRate(counts: readonly WordErrors[]): number {
  const said = counts.reduce((sum, count) => sum + count.said, 0);
  return (100 * counts.reduce((sum, count) => sum + count.wrong, 0)) / said;
}

/** The first is the default, which the limit is for; the others are named beside it. */
const engines = ['whisper', 'whisper-cli', 'pocketsphinx'] as const;

const rateOf = (heard: readonly Heard[]): number =>
  errorRate(heard.map(({ clip, text }) => countWordErrors(normaliseEnglish(clip.said), normaliseEnglish(text))));

/** The rate of each group and of all, e.g. '6.0 (slt 5.1, rms 6.9)'. */
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

/** Words of people that the default engine gets wrong. */
export const peopleWordErrors = wordErrors('word error rate on people', 5, peopleClips);

/** Words of technical answers that it gets wrong, with the glossary that the product makes of the set. */
export const technicalWordErrors = wordErrors('word error rate on technical answers', 9, technicalClips);
