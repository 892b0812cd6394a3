import type { Measure } from '../measure.ts';
import { type Clip, peopleClips, peopleFolder, technicalClips } from './clips.ts';
import { countWordErrors, errorRate } from './count-word-errors.ts';
import { type Heard, hearClips } from './hear-clips.ts';
import { normalizeEnglish } from './normalize-english.ts';

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
