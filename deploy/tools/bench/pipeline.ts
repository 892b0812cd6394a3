import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { InterviewDetail } from '@interview-prep/contracts/history/history';
import { signIn } from './api-client.ts';
import { type Bench, type Measure, median, timed } from './measure.ts';
import { seedGlossary } from './speech/clips.ts';
import { type Ears, openEars } from './speech/hear-clips.ts';

const execute = promisify(execFile);
const rounds = 3;
const speech =
  'A closure is a function together with the variables of the place where it was made. ' +
  'The function keeps these variables alive after the outer function has returned. ' +
  'People use it to keep data private and to make functions with some arguments already set. ' +
  'Every call of the outer function makes new variables, so two closures do not share them. ' +
  'A common mistake is to make functions in a loop over one shared variable.';

/** The worker processes two recordings concurrently, each with its share of the cores. */
const threads = Math.max(1, Math.floor(availableParallelism() / 2));
const asked = { set: 'javascript-scope-closures', title: 'JavaScript: Scope, Closures and this', question: 0 };

/** Gets the same words without the product, using only ffmpeg, the speech detector and the engine. */
async function bareEngine(media: string, folder: string, ears: Ears): Promise<void> {
  const wav = join(folder, 'bare.wav');
  await execute('ffmpeg', ['-nostdin', '-y', '-loglevel', 'error', '-i', media, '-ar', '16000', '-ac', '1', wav]);
  await ears.hear({ wavPath: wav, glossary: seedGlossary(asked.set, asked.question) });
}

export const pipeline: Measure = {
  what: 'time from accepted upload to stored assessment, relative to ffmpeg, voice detector and Whisper alone on the same file',
  unit: '×',
  limit: 1.15,
  async run({ stack, folder, say }: Bench) {
    const wav = join(folder, 'speech.wav');
    const media = join(folder, 'speech.webm');
    await execute('flite', ['-voice', 'slt', '-t', speech, '-o', wav]);
    await execute('ffmpeg', [
      '-nostdin',
      '-y',
      '-loglevel',
      'error',
      '-i',
      wav,
      '-c:a',
      'libopus',
      '-b:a',
      '48k',
      media,
    ]);
    const client = await signIn(stack);
    const set = (await client.interviewSets()).find(({ title }) => title === asked.title);
    if (!set) throw new Error(`There is no interview set ${asked.title}`);
    const ears = await openEars('whisper', threads);
    if (!ears) throw new Error('whisper cannot run here');
    const blob = new Blob([await readFile(media)], { type: 'audio/webm' });

    const product: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await timed(() => bareEngine(media, folder, ears)));
      // Makes the bytes unique with a trailing void element, which readers skip, so that each counts as a new recording.
      const own = new Blob([blob, new Uint8Array([0xec, 0x81, round])], { type: 'audio/webm' });
      const { interviewId } = await client.upload(own, set, asked.question);
      product.push(
        await timed(async () => {
          for (;;) {
            const { recordings } = await client
              .get<InterviewDetail>(`/api/interviews/${interviewId}`)
              .catch(() => ({ recordings: [] }));
            if (recordings[0] && recordings[0].assessment.status !== 'pending') return;
            await new Promise((resolve) => setTimeout(resolve, 25));
          }
        }),
      );
      say(`round ${round + 1}: product ${product.at(-1)?.toFixed(0)} ms, bare ${bare.at(-1)?.toFixed(0)} ms`);
    }
    ears.close();
    return {
      value: median(product) / median(bare),
      from: `${(median(product) / 1000).toFixed(2)} s over ${(median(bare) / 1000).toFixed(2)} s, medians of ${rounds}`,
    };
  },
};
