import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Measure, timed } from '../measure.ts';
import { type Clip, seedAnswers, speak, voices } from './clips.ts';
import { type Ears, openEars } from './hear-clips.ts';
import { countWordErrors, errorRate, longestLoss, normalizeEnglish, type WordErrors } from './word-errors.ts';

const answersCount = 20;
/** The number of sentences in a short clip of about ten seconds. */
const sentencesPerClip = 2;
/** A longer run of lost words is a hole. */
const longestAllowedLoss = 3;

interface LongAnswer extends Clip {
  /** Whether pauses are cut out, so that there are no gaps in the speech. */
  hasNoPauses: boolean;
}

/** Expert answers to one, two or three questions of a set, in three voices, alternately without pauses. */
async function longAnswers(folder: string): Promise<LongAnswer[]> {
  const sets = seedAnswers().filter(({ answers }) => answers.length >= 3);
  const clips: LongAnswer[] = [];
  for (let index = 0; index < answersCount; index++) {
    const set = sets[index % sets.length]!;
    const group = voices[index % voices.length]!;
    const said = set.answers.slice(0, 1 + (index % 3)).join(' ');
    const wavPath = join(folder, `long-${index}.wav`);
    const hasNoPauses = index % 2 === 0;
    await speak(said, group, wavPath, { withoutPauses: hasNoPauses });
    clips.push({ group, wavPath, said, glossary: set.glossary, hasNoPauses });
  }
  return clips;
}

/** Transcribes the text of an answer as short clips. */
async function hearInShortClips({ said, group, glossary, wavPath }: LongAnswer, ears: Ears): Promise<string> {
  const sentences = said.split(/(?<=[.?!]) /);
  const heard: string[] = [];
  for (let at = 0; at < sentences.length; at += sentencesPerClip) {
    const path = `${wavPath}-${at}.wav`;
    await speak(sentences.slice(at, at + sentencesPerClip).join(' '), group, path);
    heard.push(await ears.hear({ wavPath: path, glossary }));
  }
  return heard.join(' ');
}

async function withEars<Result>(work: (ears: Ears) => Promise<Result>): Promise<Result> {
  const ears = await openEars('whisper');
  if (!ears) throw new Error('whisper cannot run here');
  try {
    return await work(ears);
  } finally {
    ears.close();
  }
}

/** The default engine's word errors in long answers, beyond those in short clips. */
export const longAnswerErrors: Measure = {
  what: 'word error rate on answers of 30 to 120 s, above that of the same text in short clips',
  unit: 'points',
  limit: 1,
  run: ({ folder, say }) =>
    withEars(async (ears) => {
      const long: WordErrors[] = [];
      const short: WordErrors[] = [];
      let holes = 0;
      for (const answer of await longAnswers(folder)) {
        const said = normalizeEnglish(answer.said);
        const heard = normalizeEnglish(await ears.hear(answer));
        long.push(countWordErrors(said, heard));
        short.push(countWordErrors(said, normalizeEnglish(await hearInShortClips(answer, ears))));
        const lost = longestLoss(said, heard);
        if (lost.length > longestAllowedLoss) {
          holes += 1;
          say(`${answer.group}: lost "${lost.join(' ')}"`);
        }
      }
      const [inLong, inShort] = [errorRate(long), errorRate(short)];
      const from = `${inLong.toFixed(1)} % and ${inShort.toFixed(1)} %; ${holes} answers with more than ${longestAllowedLoss} words lost in a row`;
      return { value: holes > 0 ? Number.POSITIVE_INFINITY : inLong - inShort, from };
    }),
};

const busyLoop = 'for (;;);';

export const busyMachineTime: Measure = {
  what: 'time to transcribe a long answer next to two busy processes, relative to an idle machine',
  unit: '×',
  limit: 2,
  run: ({ folder }) =>
    withEars(async (ears) => {
      const [, answer] = await longAnswers(folder);
      if (!answer) throw new Error('There is no long answer');
      // Warm-up: loads the models.
      await ears.hear(answer);
      const idleMs = await timed(() => ears.hear(answer));
      const busy = [1, 2].map(() => spawn(process.execPath, ['-e', busyLoop], { stdio: 'ignore' }));
      const busyMs = await timed(() => ears.hear(answer)).finally(() => {
        for (const child of busy) child.kill();
      });
      return { value: busyMs / idleMs, from: `${(busyMs / 1000).toFixed(1)} s and ${(idleMs / 1000).toFixed(1)} s` };
    }),
};
