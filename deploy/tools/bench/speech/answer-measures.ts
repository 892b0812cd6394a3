import { loadavg } from 'node:os';
import type { Bench, Measure } from '../measure.ts';
import { type HeardAnswer, hearAnswer } from './hear-answer.ts';

const lengths = [60, 120];
let heard: Promise<HeardAnswer[]> | undefined;

/** Each answer is transcribed once for all of these measures, one after another. */
function hearAll(bench: Bench): Promise<HeardAnswer[]> {
  heard ??= (async () => {
    const all: HeardAnswer[] = [];
    for (const seconds of lengths) all.push(await hearAnswer(seconds, bench));
    return all;
  })();
  return heard;
}

const describe = (all: readonly HeardAnswer[], part: (one: HeardAnswer) => string): string =>
  all.map((one) => `${one.answerSeconds} s: ${part(one)}`).join('; ');

const worst = (all: readonly HeardAnswer[], part: (one: HeardAnswer) => number): number => Math.max(...all.map(part));

/** Times and memory of the default speech engine in the running product. */
export const answerMeasures: Record<string, Measure> = {
  'transcript-time': {
    what: "transcript of a spoken answer, over the answer's length: the worst",
    unit: '×',
    limit: 0.45,
    async run(bench) {
      const all = await hearAll(bench);
      const each = describe(
        all,
        (one) => `${one.transcriptSeconds.toFixed(1)} s, ${one.processorSeconds.toFixed(1)} s of a processor`,
      );
      const load = loadavg()[0]?.toFixed(1);
      return { value: worst(all, (one) => one.transcriptSeconds / one.answerSeconds), from: `${each}; load ${load}` };
    },
  },
  'first-words': {
    what: 'first words of a 60 s answer on an open page, after the upload',
    unit: 's',
    limit: 12,
    async run(bench) {
      const all = await hearAll(bench);
      const each = describe(all, (one) => `${one.firstWordsSeconds.toFixed(1)} s`);
      return { value: all[0]?.firstWordsSeconds ?? Number.NaN, from: each };
    },
  },
  'whisper-memory': {
    what: 'memory of the child process in which Whisper runs: the most',
    unit: 'MB',
    limit: 650,
    async run(bench) {
      const all = await hearAll(bench);
      const each = describe(all, (one) => `${one.childMegabytes.toFixed(0)} MB`);
      return { value: worst(all, (one) => one.childMegabytes), from: each };
    },
  },
};
