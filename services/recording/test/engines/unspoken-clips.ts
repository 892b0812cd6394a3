import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sessionGlossary } from '../../src/glossary/session-glossary.ts';
import { interviewAnswers } from './interview-answers.ts';
import { ffmpeg } from './spoken-answer.ts';

/** A clip in which no glossary term is spoken. */
export interface UnspokenClip {
  name: string;
  /** The spoken text; '' without speech. */
  said: string;
  /** Creates a 16 kHz mono WAV file. */
  make(wavPath: string): Promise<unknown>;
}

const seconds = 4;
const generated = (name: string, source: string): UnspokenClip => ({
  name,
  said: '',
  make: (wavPath) => ffmpeg('-f', 'lavfi', '-t', String(seconds), '-i', source, '-ac', '1', '-ar', '16000', wavPath),
});
const noise = (color: string, amplitude: number, rest = '') =>
  generated(
    `${color} noise of amplitude ${amplitude}${rest && ' in gusts'}`,
    `anoisesrc=c=${color}:a=${amplitude}:r=16000${rest}`,
  );
const gusts = ',tremolo=f=1.5:d=0.95';
const played = (name: string, formula: string) => generated(name, `aevalsrc=${formula.replaceAll(',', '\\,')}:s=16000`);

const spoken = (voice: string, said: string): UnspokenClip => ({
  name: `${voice} says: ${said}`,
  said,
  async make(wavPath) {
    const path = `${wavPath}.flite.wav`;
    await promisify(execFile)('flite', ['-voice', voice, '-t', said, '-o', path]);
    await ffmpeg('-i', path, '-ac', '1', '-ar', '16000', wavPath);
  },
});

/** Clips without speech: silence, noise, tones and music. */
export const soundClips: readonly UnspokenClip[] = [
  generated('digital silence', 'anullsrc=r=16000:cl=mono'),
  noise('pink', 0.0003),
  noise('brown', 0.001),
  noise('white', 0.05),
  noise('white', 0.3, gusts),
  noise('pink', 0.3),
  noise('pink', 0.3, gusts),
  noise('brown', 0.3, gusts),
  noise('blue', 0.1, gusts),
  noise('violet', 0.1, gusts),
  played('a hum of the mains', '0.2*sin(2*PI*50*t)+0.1*sin(2*PI*150*t)+0.05*sin(2*PI*250*t)'),
  played('a dial tone', '0.2*sin(2*PI*350*t)+0.2*sin(2*PI*440*t)'),
  played('a siren', '0.4*sin(2*PI*700*t+300*sin(PI*t))'),
  played('a rising tone', '0.4*sin(2*PI*(100*t+200*t*t))'),
  played('a drum', '0.9*exp(-20*mod(t,0.5))*sin(2*PI*60*t)'),
  played('a bell', '0.3*exp(-1.5*mod(t,2))*(sin(2*PI*800*t)+0.6*sin(2*PI*1893*t)+0.3*sin(2*PI*2720*t))'),
  played('struck chords', '0.2*exp(-2*mod(t,1))*(sin(2*PI*220*t)+sin(2*PI*277.2*t)+sin(2*PI*329.6*t))'),
  played(
    'an arpeggio',
    '0.4*exp(-6*mod(t,0.4))*sin(2*PI*t*(262*lt(mod(t,1.6),0.4)+330*between(mod(t,1.6),0.4,0.8)+392*between(mod(t,1.6),0.8,1.2)+523*gte(mod(t,1.6),1.2)))',
  ),
];

const noAnswers = ["I don't know.", 'Sorry, I have no idea, please ask me something else.'];
const offTopic = [
  'My grandmother bakes bread on Sunday, with a lot of butter and a little salt.',
  'We walked along the river in the rain, and my dog chased two ducks.',
];

/** Clips of speech about something else, the shortest first. */
export const spokenClips: readonly UnspokenClip[] = [...noAnswers, ...offTopic].flatMap((said) =>
  ['slt', 'rms', 'awb'].map((voice) => spoken(voice, said)),
);

/** The glossary of a set on JavaScript, Node.js and databases. */
export const unspokenGlossary = sessionGlossary(
  {
    title: 'Full-stack JavaScript',
    technology: 'JavaScript',
    questions: interviewAnswers.map(({ question }) => question),
    expertAnswers: interviewAnswers.map(({ expertAnswer }) => expertAnswer),
    vocabulary: ['useEffect', 'PostgreSQL', 'Kubernetes'],
  },
  0,
  interviewAnswers[0]!.expertAnswer,
);

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []);

/** The glossary terms in a transcript that were not spoken. */
export function inventedTerms({ said }: UnspokenClip, text: string): string[] {
  const [spokenWords, heardWords] = [wordsOf(said), wordsOf(text)];
  return unspokenGlossary.filter((term) => {
    const parts = [...wordsOf(term)];
    return parts.every((part) => heardWords.has(part)) && !parts.every((part) => spokenWords.has(part));
  });
}

/** A clip's path in a folder. */
export function clipPath(folder: string, index: number): string {
  return join(folder, `unspoken-${index}.wav`);
}
