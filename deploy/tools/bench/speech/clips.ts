import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@interview-prep/local/settings';
import { sessionGlossary } from '../../../../services/recording/src/glossary/session-glossary.ts';
import answers from './technical-answers.json' with { type: 'json' };

const execute = promisify(execFile);

/** A sound file with a known transcript. */
export interface Clip {
  /** The group in the results, which is a voice. */
  group: string;
  /** 16 kHz mono WAV. */
  wavPath: string;
  said: string;
  /** The glossary that the product derives from the question's set. */
  glossary: string[];
}

const seed = join(REPOSITORY, 'services/catalog/seed');
export const voices = ['slt', 'rms', 'awb'] as const;

interface SeedSet {
  key: string;
  title: string;
  technology: string;
  questions: { question: string; expertAnswer: string }[];
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** The expert answers of each built-in set, with the glossary of its first question. */
export function seedAnswers(): { answers: string[]; glossary: string[] }[] {
  return readdirSync(join(seed, 'interview-sets')).map((file) => {
    const { key, questions }: SeedSet = readJson(join(seed, 'interview-sets', file));
    return { answers: questions.map(({ expertAnswer }) => expertAnswer), glossary: seedGlossary(key, 0) };
  });
}

/** The glossary for an answer to a built-in set. @throws Error if there is no such set */
export function seedGlossary(key: string, question: number): string[] {
  const files = readdirSync(join(seed, 'interview-sets'));
  const file = files.find((name) => name.replace(/^\d+-/, '') === `${key}.json`);
  if (!file) throw new Error(`There is no set ${key}`);
  const set: SeedSet = readJson(join(seed, 'interview-sets', file));
  const technologies: { name: string; slug: string }[] = readJson(join(seed, 'technologies.json'));
  const source = {
    title: set.title,
    technology: technologies.find(({ slug }) => slug === set.technology)?.name ?? set.technology,
    questions: set.questions.map((one) => one.question),
    expertAnswers: set.questions.map((one) => one.expertAnswer),
  };
  return sessionGlossary(source, question, source.expertAnswers[question]);
}

/** Words that flite mispronounces, respelled so that it says them as people do. */
const respellings: Readonly<Record<string, string>> = {
  'Read committed': 'Reed committed',
  PostgreSQL: 'post gress Q L',
  RabbitMQ: 'rabbit M Q',
  idempotent: 'eye dem potent',
  asyncio: 'a sync I O',
  libuv: 'lib U V',
};
const respell = (text: string): string =>
  Object.entries(respellings).reduce((spoken, [word, spelled]) => spoken.replaceAll(word, spelled), text);

/** Shortens each silence to 60 ms. */
const cutPauses = 'silenceremove=stop_periods=-1:stop_duration=0.12:stop_threshold=-45dB:stop_silence=0.06';

/** Speaks text with one of flite's voices, as a 16 kHz mono WAV. */
export async function speak(
  text: string,
  voice: string,
  wavPath: string,
  { withoutPauses = false } = {},
): Promise<void> {
  const spoken = `${wavPath}.flite.wav`;
  await execute('flite', ['-voice', voice, '-t', respell(text), '-o', spoken]);
  const shape = ['-af', withoutPauses ? cutPauses : 'anull', '-ac', '1', '-ar', '16000'];
  await execute('ffmpeg', ['-nostdin', '-v', 'error', '-y', '-i', spoken, ...shape, wavPath]);
}

/** Thirty technical answers in candidates' own words, in three voices. */
export async function technicalClips(folder: string): Promise<Clip[]> {
  const clips: Clip[] = [];
  for (const group of voices) {
    for (const [index, { set, question, said }] of answers.entries()) {
      const wavPath = join(folder, `technical-${group}-${index}.wav`);
      await speak(said, group, wavPath);
      clips.push({ group, wavPath, said, glossary: seedGlossary(set, question) });
    }
  }
  return clips;
}

/** The folder with clips of people: WAV files, and a README.md with a table of files, seconds and words. */
export const peopleFolder = process.env.SPEECH_CLIPS ?? join(REPOSITORY, '../shared/data/speech');

/** Clips of people; none if the folder is missing. */
export async function peopleClips(): Promise<Clip[]> {
  const readme = join(peopleFolder, 'README.md');
  if (!existsSync(readme)) return [];
  const rows = (await readFile(readme, 'utf8')).matchAll(/^\| *(\S+\.wav) *\| *[\d.]+ *\| *(.+?) *\|$/gm);
  return [...rows].map(([, file = '', said = '']) => {
    return { group: 'people', wavPath: join(peopleFolder, file), said, glossary: [] };
  });
}
