import {
  clipPath,
  inventedTerms,
  soundClips,
  spokenClips,
  unspokenGlossary,
} from '../../../../services/recording/test/engines/unspoken-clips.ts';
import type { Measure } from '../measure.ts';
import { hearClips } from './hear-clips.ts';

const clips = [...soundClips, ...spokenClips];

/** Terms of a glossary that the default engine writes down although nobody said them. */
export const inventedTermsMeasure: Measure = {
  what: 'glossary terms that nobody said, in transcripts of silence, noise, music, "I don\'t know" and other subjects',
  unit: 'terms',
  limit: 0,
  async run({ folder, say }) {
    const made = clips.map((clip, index) => ({ clip, wavPath: clipPath(folder, index) }));
    for (const { clip, wavPath } of made) await clip.make(wavPath);
    const asked = made.map(({ clip, wavPath }) => {
      return { group: clip.name, wavPath, said: clip.said, glossary: unspokenGlossary };
    });
    const heard = await hearClips('whisper', asked);
    if (!heard) throw new Error('whisper cannot run here');
    const invented = heard.flatMap(({ text }, index) => inventedTerms(clips[index]!, text));
    for (const { clip, text } of heard) say(`${clip.group}: ${text || 'nothing'}`);
    const silent = heard.filter(({ text }) => text === '').length;
    return { value: invented.length, from: `${clips.length} clips, ${silent} of them heard as nothing` };
  },
};
